<?php
/**
 * Connecting without pasting a key. The button leads to Creator HQ, where a person says yes; their browser comes back with a
 * code, and this server fetches the key with it. The verifier of RFC 7636 never leaves this server but for the hub.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Admin;

use CreatorHq\Guard;
use CreatorHq\Hub;
use CreatorHq\Settings;

final class Connect {

	const START = 'creator_hq_connect';
	/** Creator HQ leads back to this one: server/features/api-keys/connect-site.ts. */
	const DONE = 'creator_hq_connected';
	/** Which hub was asked, by whom, when, and the verifier. */
	const OPTION       = 'creator_hq_connecting';
	const KEPT_SECONDS = HOUR_IN_SECONDS;

	public static function hook() {
		add_action( 'admin_post_' . self::START, Guard::action( array( self::class, 'start' ) ) );
		add_action( 'admin_post_' . self::DONE, Guard::action( array( self::class, 'finish' ) ) );
	}

	public static function form() {
		?>
		<form method="post" action="<?php echo esc_url( admin_url( 'admin-post.php' ) ); ?>">
			<input type="hidden" name="action" value="<?php echo esc_attr( self::START ); ?>">
			<?php wp_nonce_field( self::START ); ?>
			<p>
				<label for="creator-hq-connect"><?php esc_html_e( 'Address of your Creator HQ', 'creator-hq' ); ?></label><br>
				<input type="url" class="regular-text" id="creator-hq-connect" name="hub" value="<?php echo esc_attr( Settings::likely_hub() ); ?>" placeholder="https://" required>
				<button type="submit" class="button button-primary"><?php Settings::is_connected() ? esc_html_e( 'Connect again', 'creator-hq' ) : esc_html_e( 'Connect', 'creator-hq' ); ?></button>
			</p>
			<p class="description"><?php esc_html_e( 'Opens Creator HQ, where you say yes. Then you are back here.', 'creator-hq' ); ?></p>
		</form>
		<?php
	}

	public static function start() {
		current_user_can( 'manage_options' ) || self::refuse();
		check_admin_referer( self::START );
		$hub = untrailingslashit( trim( sanitize_text_field( wp_unslash( $_POST['hub'] ?? '' ) ) ) );
		if ( ! Settings::is_acceptable_hub( $hub ) ) {
			self::back( Settings::unacceptable_hub() );
		}
		$verifier = bin2hex( random_bytes( 32 ) );
		update_option(
			self::OPTION,
			array(
				'hub'      => $hub,
				'verifier' => $verifier,
				'user'     => get_current_user_id(),
				'at'       => time(),
			),
			false
		);
		$question = array(
			'tab'       => 'api-key',
			'connect'   => admin_url(),
			'state'     => wp_create_nonce( self::DONE ),
			'challenge' => rtrim( strtr( base64_encode( hash( 'sha256', $verifier, true ) ), '+/', '-_' ), '=' ), // phpcs:ignore -- RFC 7636.
		);
		nocache_headers();
		wp_redirect( $hub . '/creator-hq/settings?' . http_build_query( $question ) ); // phpcs:ignore -- The hub is elsewhere.
		exit;
	}

	public static function finish() {
		current_user_can( 'manage_options' ) || self::refuse();
		check_admin_referer( self::DONE, 'state' );
		$asked = get_option( self::OPTION );
		if ( ! is_array( $asked ) || get_current_user_id() !== $asked['user'] || time() - $asked['at'] > self::KEPT_SECONDS ) {
			self::back( __( 'Not connected: this answer came twice, or too late. Press Connect again.', 'creator-hq' ) );
		}
		delete_option( self::OPTION );
		$answer = Hub::fetch_key( $asked['hub'], sanitize_text_field( wp_unslash( $_GET['code'] ?? '' ) ), $asked['verifier'] );
		$key    = $answer['body']['key'] ?? null;
		if ( '' !== $answer['trouble'] || ! is_string( $key ) ) {
			$why = 'refused' === $answer['trouble'] ? (string) ( $answer['body']['detail'] ?? '' ) : __( 'Creator HQ did not answer this server. Press Connect again.', 'creator-hq' );
			/* translators: %s: a sentence. */
			self::back( sprintf( __( 'Not connected. %s', 'creator-hq' ), $why ) );
		}
		Settings::connect_to( $asked['hub'], $key );
		self::back( __( 'Connected.', 'creator-hq' ), 'success' );
	}

	private static function refuse() {
		wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'creator-hq' ), '', array( 'response' => 403 ) );
	}

	/** To the settings, where WordPress shows the message. */
	private static function back( string $message, string $type = 'error' ) {
		Settings::complain( 'connect', $message, $type );
		set_transient( 'settings_errors', get_settings_errors(), 30 );
		wp_safe_redirect( admin_url( 'options-general.php?settings-updated=true&page=' . Page::SLUG ) );
		exit;
	}
}
