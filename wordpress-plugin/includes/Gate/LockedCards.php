<?php
/**
 * Recipe cards that stand in a locked part: their plugins print them in many more places than the post, from posts and meta
 * of their own. To a stranger those have no ingredients, steps and notes.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Cards\Cards;

final class LockedCards {

	/** Ids of cards and of the posts they stand in: asked on every page, so it is loaded with WordPress's own options. */
	const OPTION = 'creator_hq_locked_cards';
	/** Kinds whose cards are posts; Create's are rows of tables of its own. */
	const POSTS = array( 'wprm', 'tasty' );
	/** Of WP Recipe Maker and Tasty Recipes, and copies that they keep of them. */
	const SECRET = '/ingredient|instruction|note|step|direction|description|nutrition|cache|json|metadata/';

	private static $is_reading = false;

	public static function hook() {
		add_action( 'save_post', \CreatorHq\Guard::action( array( self::class, 'saved' ) ), 10, 2 );
		add_action( 'deleted_post', \CreatorHq\Guard::action( array( self::class, 'find' ) ) );
		add_filter( 'get_post_metadata', array( self::class, 'meta' ), PHP_INT_MAX, 4 );
	}

	public static function saved( $id, $post ) {
		if ( Lock::is_in( $post->post_content ) || in_array( (int) $id, self::all(), true ) ) {
			self::find();
		}
	}

	/** Reads all locked posts: there are few. */
	public static function find() {
		global $wpdb;
		$found = array();
		$posts = $wpdb->get_results(
			$wpdb->prepare(
				"SELECT ID, post_content FROM %i WHERE post_status <> 'trash' AND post_type <> 'revision' AND (post_content LIKE %s OR post_content LIKE %s)",
				$wpdb->posts,
				'%' . $wpdb->esc_like( '<!-- wp:' . Lock::BLOCK ) . '%',
				'%' . $wpdb->esc_like( '[creator_hq_gate' ) . '%'
			)
		);
		foreach ( $posts as $post ) {
			foreach ( self::within( $post->post_content ) as list( $kind, $card ) ) {
				if ( in_array( $kind, self::POSTS, true ) ) {
					$found[ $card ] = (int) $post->ID;
				}
			}
		}
		if ( $found !== self::all() ) {
			update_option( self::OPTION, $found, true );
		}
	}

	/** @param string $recipe As `Cards` names it. */
	public static function has( string $recipe, string $content ): bool {
		foreach ( Lock::is_in( $content ) ? self::within( $content ) : array() as list( $kind, $card ) ) {
			if ( $kind . '-' . $card === $recipe ) {
				return true;
			}
		}
		return false;
	}

	/** @return array<int, array{0: string, 1: int}> Kind and id of each card that is locked. */
	private static function within( string $content ): array {
		$found = array();
		foreach ( Lock::locked( $content ) as $text ) {
			foreach ( Cards::PATTERNS as $kind => $pattern ) {
				preg_match_all( $pattern, $text, $cards, PREG_SET_ORDER );
				foreach ( $cards as $card ) {
					$found[] = array( $kind, (int) end( $card ) );
				}
			}
		}
		return $found;
	}

	/** @param mixed $value Null: WordPress reads it itself. */
	public static function meta( $value, $id, $key, $is_single ) {
		if ( self::$is_reading || ( '' !== $key && ! preg_match( self::SECRET, (string) $key ) ) ) {
			return $value;
		}
		$post = self::all()[ (int) $id ] ?? 0;
		if ( 0 === $post || Access::may_see( $post ) || Access::may_edit( (int) $id ) ) {
			return $value;
		}
		if ( '' !== $key ) {
			return $is_single ? array( '' ) : array();
		}
		self::$is_reading = true;
		try {
			$all = (array) get_metadata( 'post', $id );
		} finally {
			self::$is_reading = false;
		}
		return array_filter(
			$all,
			function ( $name ) {
				return ! preg_match( self::SECRET, (string) $name );
			},
			ARRAY_FILTER_USE_KEY
		);
	}

	/** @return array<int, int> Posts by their cards. */
	private static function all(): array {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value : array();
	}
}
