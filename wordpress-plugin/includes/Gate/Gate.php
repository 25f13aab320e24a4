<?php
/**
 * The content gate: what of a post only some read. Switched off with the plugin, everything is open.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Guard;

final class Gate {

	/** Above this part of the posts, search engines and readers have little left. */
	const MUCH = 0.3;

	public static function hook() {
		Doors::hook();
		Inline::hook();
		LockedCards::hook();
		Open::hook();
		Enter::hook();
		Passing::hook();
		Ads::hook();
		Rules::hook();
		Days::hook();
		ViewAs::hook();
		add_action( 'init', Guard::action( array( self::class, 'block' ) ) );
		add_action( 'enqueue_block_editor_assets', Guard::action( array( self::class, 'question_in_editor' ) ) );
	}

	public static function block() {
		MembershipPage::hook();
		add_shortcode( 'creator_hq_gate', array( self::class, 'shortcode' ) );
		wp_register_script(
			'creator-hq-block-gate',
			plugins_url( 'blocks/gate/editor.js', CREATOR_HQ_FILE ),
			array( 'wp-blocks', 'wp-element', 'wp-components', 'wp-block-editor', 'wp-data', 'wp-i18n' ),
			CREATOR_HQ_VERSION,
			true
		);
		if ( is_admin() ) {
			wp_add_inline_script( 'creator-hq-block-gate', 'window.creatorHqAudiences = ' . wp_json_encode( Tiers::audiences(), JSON_HEX_TAG ), 'before' );
		}
		wp_set_script_translations( 'creator-hq-block-gate', 'creator-hq', dirname( CREATOR_HQ_FILE ) . '/languages' );
		register_block_type( dirname( CREATOR_HQ_FILE ) . '/blocks/gate', array( 'render_callback' => array( self::class, 'printed' ) ) );
	}

	/** Only reached by who may see it, or by a program that gives blocks to nobody's filters. */
	public static function printed( $attributes, $content ): string {
		$attributes = (array) $attributes;
		$may_see    = Access::may_edit( (int) get_the_ID() ) || Access::opens( Lock::who( $attributes ), (int) get_the_ID() );
		return $may_see ? Wall::note( (string) ( $attributes['locks'] ?? 'rest' ), Lock::who( $attributes ) ) . $content : '';
	}

	public static function shortcode( $attributes ): string {
		$attributes = (array) $attributes;
		return Wall::note( 'card' === ( $attributes['locks'] ?? '' ) ? 'card' : 'rest', Lock::who( $attributes ) );
	}

	/** The block asks it as soon as it is put into a post of which nothing is locked yet. */
	public static function question_in_editor() {
		$post     = get_post();
		$question = $post && 'post' === $post->post_type && ! Lock::is_locked( $post ) ? self::question( $post->ID ) : '';
		if ( '' !== $question ) {
			wp_add_inline_script( 'creator-hq-block-gate', 'window.creatorHqMuchLocked = ' . wp_json_encode( $question ), 'before' );
		}
	}

	/**
	 * Published posts.
	 *
	 * @param int $post Counted as locked and published.
	 * @param int $term Counted as locked.
	 * @return array{locked: int, all: int}
	 */
	public static function count( int $post = 0, int $term = 0 ): array {
		global $wpdb;
		$this_one = $post ? 1 : 0;
		$all      = $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM %i WHERE post_type = 'post' AND post_status = 'publish' AND ID <> %d", $wpdb->posts, $post ) );
		$locked   = $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM %i WHERE post_type = 'post' AND post_status = 'publish' AND ID <> %d AND ", $wpdb->posts, $post ) . self::locked_sql( $wpdb->posts, $term ) );
		return array(
			'locked' => (int) $locked + $this_one,
			'all'    => (int) $all + $this_one,
		);
	}

	/** What to ask before a post, or all of a category or tag, is locked; '' where not much is locked after it. */
	public static function question( int $post, int $term = 0 ): string {
		$now  = self::count();
		$then = self::count( $post, $term );
		// Who has answered for one post is not asked at each of the next.
		$was_answered = $now['locked'] > self::MUCH * $now['all'] && $then['locked'] <= $now['locked'] + 1;
		if ( $was_answered || $then['locked'] === $now['locked'] || $then['locked'] <= self::MUCH * $then['all'] ) {
			return '';
		}
		/* translators: 1: a number of posts, 2: the number of all posts, 3: percent. */
		$text = __( 'This locks %1$s of %2$s posts (%3$s %%). Search engines and new readers find little to read, and leave. Lock it anyway?', 'creator-hq' );
		return sprintf( $text, number_format_i18n( $then['locked'] ), number_format_i18n( $then['all'] ), number_format_i18n( 100 * $then['locked'] / $then['all'] ) );
	}

	/**
	 * SQL that is true of posts with something locked; in doubt it is.
	 *
	 * @param int $term Taken as locked, too.
	 */
	public static function locked_sql( string $table, int $term = 0 ): string {
		global $wpdb;
		$marks = array( '%' . $wpdb->esc_like( '<!-- wp:' . Lock::BLOCK ) . '%', '%' . $wpdb->esc_like( '[creator_hq_gate' ) . '%' );
		$gates = $wpdb->prepare( '%i.post_content LIKE %s OR %i.post_content LIKE %s', $table, $marks[0], $table, $marks[1] );
		$refs  = $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM %i WHERE post_type = 'wp_block' AND (post_content LIKE %s OR post_content LIKE %s)", $wpdb->posts, $marks[0], $marks[1] ) );
		for ( $at = 0; $at < count( $refs ); $at++ ) {
			// It may stand in a pattern that stands in a post.
			$mark   = '%' . $wpdb->esc_like( '<!-- wp:block {"ref":' . (int) $refs[ $at ] ) . '%';
			$gates .= $wpdb->prepare( ' OR %i.post_content LIKE %s', $table, $mark );
			$outer  = $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM %i WHERE post_type = 'wp_block' AND post_content LIKE %s", $wpdb->posts, $mark ) );
			$refs   = array_values( array_unique( array_merge( $refs, $outer ) ) );
		}
		return '(' . $gates . Rules::or_locked_sql( $table, $term ) . ')';
	}
}
