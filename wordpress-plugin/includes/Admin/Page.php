<?php
/**
 * Settings, Creator HQ: connect, choose where forms stand, see how it is.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Admin;

use CreatorHq\Connection;
use CreatorHq\Forms\Store;
use CreatorHq\Gate\Enter;
use CreatorHq\Gate\MembershipPage;
use CreatorHq\Outbox;
use CreatorHq\Settings;
use CreatorHq\State;

final class Page {

	const SLUG  = 'creator-hq';
	const CHECK = 'creator_hq_check';
	const PAGE  = 'creator_hq_membership_page';

	public static function menu() {
		add_options_page( 'Creator HQ', 'Creator HQ', 'manage_options', self::SLUG, \CreatorHq\Guard::action( array( self::class, 'show' ) ) );
	}

	public static function settings() {
		register_setting(
			'creator_hq_connection',
			Settings::OPTION,
			array(
				'type'              => 'array',
				'show_in_rest'      => false,
				'sanitize_callback' => array( Settings::class, 'checked_connection' ),
			)
		);
		register_setting(
			'creator_hq_places',
			Settings::PLACES,
			array(
				'type'              => 'array',
				'show_in_rest'      => false,
				'sanitize_callback' => array( Settings::class, 'checked_places' ),
			)
		);
		register_setting(
			'creator_hq_gate',
			Settings::GATE,
			array(
				'type'              => 'array',
				'show_in_rest'      => false,
				'sanitize_callback' => array( Settings::class, 'checked_gate' ),
			)
		);
		add_action( 'admin_post_' . self::CHECK, \CreatorHq\Guard::action( array( self::class, 'check_now' ) ) );
		add_action( 'admin_post_' . self::PAGE, \CreatorHq\Guard::action( array( self::class, 'membership_page' ) ) );
	}

	public static function plugin_links( $links ) {
		array_unshift( $links, '<a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Settings', 'creator-hq' ) . '</a>' );
		return $links;
	}

	/** Makes it, or removes the one that is there. */
	public static function membership_page() {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'creator-hq' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( self::PAGE );
		if ( 0 === MembershipPage::find() ) {
			MembershipPage::make();
		} else {
			MembershipPage::remove();
		}
		wp_safe_redirect( self::url() );
		exit;
	}

	public static function check_now() {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'creator-hq' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( self::CHECK );
		State::set( array( 'ask_after' => 0 ) );
		if ( '' === Connection::register() ) {
			Outbox::send();
		}
		wp_safe_redirect( self::url() );
		exit;
	}

	public static function show() {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>Creator HQ</h1>';
		self::connection();
		self::places();
		self::gate();
		self::status();
		echo '</div>';
	}

	private static function url(): string {
		return admin_url( 'options-general.php?page=' . self::SLUG );
	}

	private static function connection() {
		$key = Settings::key();
		?>
		<h2><?php esc_html_e( '1. Connect', 'creator-hq' ); ?></h2>
		<?php Connect::form(); ?>
		<h3><?php esc_html_e( 'Or with a key that you paste', 'creator-hq' ); ?></h3>
		<form method="post" action="<?php echo esc_url( admin_url( 'options.php' ) ); ?>">
			<?php settings_fields( 'creator_hq_connection' ); ?>
			<table class="form-table" role="presentation">
				<tr>
					<th scope="row"><label for="creator-hq-hub"><?php esc_html_e( 'Address of your Creator HQ', 'creator-hq' ); ?></label></th>
					<td><input type="url" class="regular-text" id="creator-hq-hub" name="<?php echo esc_attr( Settings::OPTION ); ?>[hub]" value="<?php echo esc_attr( Settings::likely_hub() ); ?>" placeholder="https://"></td>
				</tr>
				<tr>
					<th scope="row"><label for="creator-hq-key"><?php esc_html_e( 'API key', 'creator-hq' ); ?></label></th>
					<td>
						<input type="password" class="regular-text" id="creator-hq-key" name="<?php echo esc_attr( Settings::OPTION ); ?>[key]" value="" autocomplete="off" aria-describedby="creator-hq-key-hint">
						<p class="description" id="creator-hq-key-hint">
							<?php
							echo '' === $key
								? esc_html__( 'From Creator HQ, under Settings, API key.', 'creator-hq' )
								/* translators: %s: the last four characters of the key. */
								: esc_html( sprintf( __( 'A key that ends in %s is saved. Leave this empty to keep it.', 'creator-hq' ), substr( $key, -4 ) ) );
							?>
						</p>
					</td>
				</tr>
				<tr>
					<th scope="row"><label for="creator-hq-header"><?php esc_html_e( 'Reader’s network', 'creator-hq' ); ?></label></th>
					<td>
						<select id="creator-hq-header" name="<?php echo esc_attr( Settings::OPTION ); ?>[address_header]">
							<?php foreach ( self::headers() as $header => $words ) : ?>
								<option value="<?php echo esc_attr( $header ); ?>" <?php selected( Settings::address_header(), $header ); ?>><?php echo esc_html( $words ); ?></option>
							<?php endforeach; ?>
						</select>
						<p class="description"><?php esc_html_e( 'Only change this if the status below asks you to.', 'creator-hq' ); ?></p>
					</td>
				</tr>
			</table>
			<?php submit_button( __( 'Save and connect', 'creator-hq' ) ); ?>
		</form>
		<?php
	}

	private static function headers(): array {
		return array(
			''                      => __( 'Readers reach this server directly', 'creator-hq' ),
			'HTTP_CF_CONNECTING_IP' => __( 'Through Cloudflare (CF-Connecting-IP)', 'creator-hq' ),
			'HTTP_X_REAL_IP'        => __( 'Through a proxy (X-Real-IP)', 'creator-hq' ),
			'HTTP_X_FORWARDED_FOR'  => __( 'Through a proxy (X-Forwarded-For, last)', 'creator-hq' ),
		);
	}

	private static function places() {
		$places = Settings::places();
		?>
		<h2><?php esc_html_e( '2. Where the form goes', 'creator-hq' ); ?></h2>
		<form method="post" action="<?php echo esc_url( admin_url( 'options.php' ) ); ?>">
			<?php settings_fields( 'creator_hq_places' ); ?>
			<table class="form-table" role="presentation">
				<tr>
					<th scope="row"><label for="creator-hq-place"><?php esc_html_e( 'On every recipe', 'creator-hq' ); ?></label></th>
					<td>
						<select id="creator-hq-place" name="<?php echo esc_attr( Settings::PLACES ); ?>[place]">
							<?php foreach ( self::place_words() as $place => $words ) : ?>
								<option value="<?php echo esc_attr( $place ); ?>" <?php selected( $places['place'], $place ); ?>><?php echo esc_html( $words ); ?></option>
							<?php endforeach; ?>
						</select>
						<p class="description"><?php esc_html_e( 'Or place it yourself: the block “Creator HQ form”, or the shortcode [creator_hq_save].', 'creator-hq' ); ?></p>
					</td>
				</tr>
				<tr>
					<th scope="row"><label for="creator-hq-form"><?php esc_html_e( 'Form', 'creator-hq' ); ?></label></th>
					<td>
						<select id="creator-hq-form" name="<?php echo esc_attr( Settings::PLACES ); ?>[form]">
							<option value=""><?php esc_html_e( 'The first one for saving recipes', 'creator-hq' ); ?></option>
							<?php foreach ( Store::forms() as $form ) : ?>
								<option value="<?php echo esc_attr( $form['key'] ); ?>" <?php selected( $places['form'], $form['key'] ); ?>><?php echo esc_html( $form['name'] ); ?></option>
							<?php endforeach; ?>
						</select>
					</td>
				</tr>
				<tr>
					<th scope="row"><?php esc_html_e( 'Not in these categories', 'creator-hq' ); ?></th>
					<td>
						<fieldset>
							<legend class="screen-reader-text"><?php esc_html_e( 'Not in these categories', 'creator-hq' ); ?></legend>
							<?php foreach ( get_categories( array( 'hide_empty' => false, 'number' => 100 ) ) as $category ) : ?>
								<label><input type="checkbox" name="<?php echo esc_attr( Settings::PLACES ); ?>[not_in][]" value="<?php echo esc_attr( (string) $category->term_id ); ?>" <?php checked( in_array( (int) $category->term_id, $places['not_in'], true ) ); ?>> <?php echo esc_html( $category->name ); ?></label><br>
							<?php endforeach; ?>
						</fieldset>
					</td>
				</tr>
				<tr>
					<th scope="row"><?php esc_html_e( 'Shop ingredients', 'creator-hq' ); ?></th>
					<td>
						<label><input type="checkbox" name="<?php echo esc_attr( Settings::PLACES ); ?>[shop]" value="1" <?php checked( $places['shop'] ); ?>> <?php esc_html_e( 'A button under recipe cards that have a shopping list', 'creator-hq' ); ?></label>
						<p class="description"><?php esc_html_e( 'Or place it yourself: the block “Shop ingredients”, or the shortcode [creator_hq_shop].', 'creator-hq' ); ?></p>
					</td>
				</tr>
			</table>
			<?php submit_button( __( 'Save changes', 'creator-hq' ) ); ?>
		</form>
		<?php
	}

	private static function place_words(): array {
		return array(
			'none'          => __( 'Nowhere by itself', 'creator-hq' ),
			'in_card'       => __( 'At the top of the recipe card', 'creator-hq' ),
			'before_card'   => __( 'Before the recipe card', 'creator-hq' ),
			'after_content' => __( 'At the end of the post', 'creator-hq' ),
		);
	}

	private static function gate() {
		$gate = Settings::gate();
		?>
		<h2><?php esc_html_e( '3. Only for subscribers', 'creator-hq' ); ?></h2>
		<p><?php esc_html_e( 'Lock the rest of a post, a part of it, or its recipe card with the block “Only for subscribers”, or the shortcodes [creator_hq_gate] and [creator_hq_gate locks="card"]. Readers who sign up read on at once. Pictures and files themselves are not protected, and without this plugin everything is open.', 'creator-hq' ); ?></p>
		<?php if ( '' !== Enter::members_at() ) : ?>
			<p><?php esc_html_e( 'In shortcodes, say for whom: for="readers", for="members", or for= and the name of a tier.', 'creator-hq' ); ?></p>
		<?php endif; ?>
		<form method="post" action="<?php echo esc_url( admin_url( 'options.php' ) ); ?>">
			<?php settings_fields( 'creator_hq_gate' ); ?>
			<table class="form-table" role="presentation">
				<tr>
					<th scope="row"><label for="creator-hq-gate-form"><?php esc_html_e( 'Form', 'creator-hq' ); ?></label></th>
					<td>
						<select id="creator-hq-gate-form" name="<?php echo esc_attr( Settings::GATE ); ?>[form]">
							<option value=""><?php esc_html_e( 'The first one for subscribers', 'creator-hq' ); ?></option>
							<?php foreach ( Store::forms() as $form ) : ?>
								<?php if ( 'save' !== $form['kind'] ) : ?>
									<option value="<?php echo esc_attr( $form['key'] ); ?>" <?php selected( $gate['form'], $form['key'] ); ?>><?php echo esc_html( $form['name'] ); ?></option>
								<?php endif; ?>
							<?php endforeach; ?>
						</select>
					</td>
				</tr>
				<tr>
					<th scope="row"><?php esc_html_e( 'Search engines', 'creator-hq' ); ?></th>
					<td>
						<label><input type="checkbox" name="<?php echo esc_attr( Settings::GATE ); ?>[keep_for_search]" value="1" <?php checked( $gate['keep_for_search'] ); ?>> <?php esc_html_e( 'Let them read locked ingredients and steps', 'creator-hq' ); ?></label>
						<p class="description"><?php esc_html_e( 'Then anyone who looks at the page’s source can read them, too.', 'creator-hq' ); ?></p>
					</td>
				</tr>
			</table>
			<?php submit_button( __( 'Save changes', 'creator-hq' ) ); ?>
		</form>
		<?php
		if ( '' !== Enter::members_at() ) {
			self::page_of_membership( MembershipPage::find() );
		}
	}

	private static function page_of_membership( int $page ) {
		?>
		<h3><?php esc_html_e( 'A page about your membership', 'creator-hq' ); ?></h3>
		<p>
			<?php esc_html_e( 'With the buttons to become a member, to enter, and to change or cancel, and an entry in your menus.', 'creator-hq' ); ?>
			<?php if ( 0 !== $page ) : ?>
				<a href="<?php echo esc_url( (string) get_permalink( $page ) ); ?>"><?php esc_html_e( 'Look at it', 'creator-hq' ); ?></a>
			<?php endif; ?>
		</p>
		<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
			<input type="hidden" name="action" value="<?php echo esc_attr( self::PAGE ); ?>">
			<?php wp_nonce_field( self::PAGE ); ?>
			<?php submit_button( 0 === $page ? __( 'Make the page', 'creator-hq' ) : __( 'Remove the page', 'creator-hq' ), 'secondary' ); ?>
		</form>
		<?php
	}

	private static function status() {
		?>
		<h2><?php esc_html_e( '4. Status', 'creator-hq' ); ?></h2>
		<?php foreach ( Status::lines() as $line ) : ?>
			<div class="notice inline notice-<?php echo esc_attr( array( 'good' => 'success', 'note' => 'info' )[ $line['level'] ] ?? 'error' ); ?>">
				<p><strong><?php echo esc_html( $line['text'] ); ?></strong> <?php echo esc_html( $line['remedy'] ); ?></p>
			</div>
		<?php endforeach; ?>
		<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
			<input type="hidden" name="action" value="<?php echo esc_attr( self::CHECK ); ?>">
			<?php wp_nonce_field( self::CHECK ); ?>
			<?php submit_button( __( 'Check now', 'creator-hq' ), 'secondary' ); ?>
		</form>
		<?php
		self::newest_post();
		self::log();
	}

	private static function newest_post() {
		$newest = get_posts( array( 'numberposts' => 1 ) );
		if ( array() === $newest || array() === Store::forms() ) {
			return;
		}
		printf(
			'<p><a href="%s">%s</a></p>',
			esc_url( get_permalink( $newest[0] ) ),
			/* translators: %s: the title of a post. */
			esc_html( sprintf( __( 'See it on your newest post: %s', 'creator-hq' ), $newest[0]->post_title ) )
		);
	}

	private static function log() {
		$log = array_reverse( (array) State::get( 'log', array() ) );
		if ( array() === $log ) {
			return;
		}
		echo '<details><summary>' . esc_html__( 'What happened lately', 'creator-hq' ) . '</summary><ul>';
		foreach ( $log as $entry ) {
			echo '<li>' . esc_html( wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), (int) $entry[0] ) . ': ' . $entry[1] ) . '</li>';
		}
		echo '</ul></details>';
	}
}
