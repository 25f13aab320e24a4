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
		Ads::hook();
		Rules::hook();
		ViewAs::hook();
		add_action( 'init', Guard::action( array( self::class, 'block' ) ) );
	}

	public static function block() {
		add_shortcode( 'creator_hq_gate', array( self::class, 'shortcode' ) );
		wp_register_script(
			'creator-hq-block-gate',
			plugins_url( 'blocks/gate/editor.js', CREATOR_HQ_FILE ),
			array( 'wp-blocks', 'wp-element', 'wp-components', 'wp-block-editor', 'wp-i18n' ),
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

	/** @return array{locked: int, all: int} Published posts. */
	public static function count(): array {
		global $wpdb;
		$all    = $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM %i WHERE post_type = 'post' AND post_status = 'publish'", $wpdb->posts ) );
		$locked = $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM %i WHERE post_type = 'post' AND post_status = 'publish' AND ", $wpdb->posts ) . self::locked_sql( $wpdb->posts ) );
		return array(
			'locked' => (int) $locked,
			'all'    => (int) $all,
		);
	}

	/** SQL that is true of posts with something locked; in doubt it is. */
	public static function locked_sql( string $table ): string {
		global $wpdb;
		$marks = array( '%' . $wpdb->esc_like( '<!-- wp:' . Lock::BLOCK ) . '%', '%' . $wpdb->esc_like( '[creator_hq_gate' ) . '%' );
		$gates = $wpdb->prepare( '%i.post_content LIKE %s OR %i.post_content LIKE %s', $table, $marks[0], $table, $marks[1] );
		return '(' . $gates . Rules::or_locked_sql( $table ) . ')';
	}
}
