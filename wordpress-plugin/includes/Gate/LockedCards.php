<?php
/**
 * Recipe cards that stand in a locked part: their plugins print them in many more places than the post, from posts and meta
 * of their own. To a stranger those have no ingredients, steps and notes, and locked posts no footnotes.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Cards\Cards;

final class LockedCards {

	/** By ids of cards, the post each stands in, for whom it is, posts in which that goes by the day, and all in which it stands locked: asked on every page, so it is loaded with WordPress's own options. */
	const OPTION = 'creator_hq_locked_cards';
	/** Kinds whose cards are posts; Create's are rows of tables of its own. */
	const POSTS = array( 'wprm', 'tasty' );
	/** Of WP Recipe Maker and Tasty Recipes, and copies that they keep of them. */
	const SECRET = '/ingredient|instruction|note|step|direction|description|nutrition|cache|json|metadata/';
	/** WordPress keeps them beside a post's text, and REST shows them. */
	const FOOTNOTES = 'footnotes';

	private static $is_reading = false;

	public static function hook() {
		add_action( 'save_post', \CreatorHq\Guard::action( array( self::class, 'saved' ) ), 10, 2 );
		add_action( 'deleted_post', \CreatorHq\Guard::action( array( self::class, 'find' ) ) );
		add_filter( 'get_post_metadata', array( self::class, 'meta' ), PHP_INT_MAX, 4 );
	}

	public static function saved( $id, $post ) {
		// A gate may have gone from a pattern.
		if ( 'wp_block' === $post->post_type || Lock::is_in( Lock::text( $post ) ) || array() !== Days::in( $post ) || in_array( (int) $id, array_column( self::all(), 0 ), true ) ) {
			self::find();
		}
	}

	/** Reads all locked posts: there are few. */
	public static function find() {
		global $wpdb;
		$found = array();
		$locked = Gate::locked_sql( $wpdb->posts );
		$posts  = $wpdb->get_results( $wpdb->prepare( "SELECT * FROM %i WHERE post_status <> 'trash' AND post_type <> 'revision' AND ", $wpdb->posts ) . $locked );
		foreach ( $posts as $post ) {
			$post = new \WP_Post( $post );
			// Of posts whose locks begin or end, each view asks anew.
			$is_dated = array() !== Days::in( $post );
			if ( $is_dated ) {
				Days::plan( $post->ID );
			}
			$cards = $is_dated ? self::in( Rules::with_patterns( $post->post_content ), '' ) : self::within( Lock::text( $post ) );
			foreach ( $cards as list( $kind, $card, $who ) ) {
				if ( in_array( $kind, self::POSTS, true ) ) {
					$dated          = array_merge( $found[ $card ][2] ?? array(), $is_dated ? array( (int) $post->ID ) : array() );
					$stands_in      = array_merge( $found[ $card ][3] ?? array(), array( (int) $post->ID ) );
					$found[ $card ] = array( (int) $post->ID, Lock::strictest( $found[ $card ][1] ?? '', $who ), $dated, array_values( array_unique( $stands_in ) ) );
				}
			}
		}
		if ( $found !== self::all() ) {
			update_option( self::OPTION, $found, true );
		}
	}

	/**
	 * For whom a card is; '' for everybody.
	 *
	 * @param string $recipe As `Cards` names it.
	 */
	public static function who( string $recipe, string $content ): string {
		$strictest = '';
		foreach ( self::within( $content ) as list( $kind, $card, $who ) ) {
			if ( $kind . '-' . $card === $recipe ) {
				$strictest = Lock::strictest( $strictest, $who );
			}
		}
		return $strictest;
	}

	/** @return array<int, array{0: string, 1: int, 2: string}> Kind and id of each card that is locked, and for whom. */
	private static function within( string $content ): array {
		$found = array();
		foreach ( Lock::locked( $content ) as list( $who, $text ) ) {
			$found = array_merge( $found, self::in( $text, $who ) );
		}
		return $found;
	}

	private static function in( string $text, string $who ): array {
		$found = array();
		foreach ( Cards::PATTERNS as $kind => $pattern ) {
			preg_match_all( $pattern, $text, $cards, PREG_SET_ORDER );
			foreach ( $cards as $card ) {
				$found[] = array( $kind, (int) end( $card ), $who );
			}
		}
		return $found;
	}

	/** For whom a card is today, that was found to be for these or, by the day, in these posts. */
	private static function today( int $id, string $who, array $dated ): string {
		foreach ( $dated as $post ) {
			$post = get_post( $post );
			foreach ( $post ? self::within( Lock::text( $post ) ) : array() as list( $kind, $card, $of_post ) ) {
				$who = $card === $id && in_array( $kind, self::POSTS, true ) ? Lock::strictest( $who, $of_post ) : $who;
			}
		}
		return $who;
	}

	/** @param mixed $value Null: WordPress reads it itself. */
	public static function meta( $value, $id, $key, $is_single ) {
		if ( self::$is_reading || ( '' !== $key && ! preg_match( self::SECRET, (string) $key ) ) ) {
			return $value;
		}
		$kept                       = self::all()[ (int) $id ] ?? array( 0, '' );
		list( $post, $who, $dated ) = $kept + array( 2 => array() );
		$who                        = self::today( (int) $id, $who, $dated );
		$opens                      = Access::may_edit( $post ) || Access::may_edit( (int) $id );
		// One of its posts may be open by itself.
		foreach ( $kept[3] ?? array( $post ) as $stands_in ) {
			$opens = $opens || Access::opens( $who, $stands_in );
		}
		$secret = $opens ? '' : self::SECRET;
		if ( $opens && in_array( $key, array( '', self::FOOTNOTES ), true ) && ! self::shows_footnotes( (int) $id ) ) {
			$secret = '/^' . self::FOOTNOTES . '$/';
		}
		if ( '' === $secret ) {
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
		$shown = array_filter(
			$all,
			function ( $name ) use ( $secret ) {
				return ! preg_match( $secret, (string) $name );
			},
			ARRAY_FILTER_USE_KEY
		);
		return $is_single ? array( $shown ) : $shown;
	}

	/** Nobody knows to which part of the text each belongs. */
	private static function shows_footnotes( int $id ): bool {
		// A revision is a copy of all of it.
		if ( doing_action( '_wp_put_post_revision' ) ) {
			return true;
		}
		$post = get_post( $id );
		$who  = $post ? Lock::strictest( ...array_column( Lock::locked( Lock::text( $post ) ), 0 ) ) : '';
		return Access::opens( $who, $id ) || Access::may_edit( $id );
	}

	/** @return array<int, array{0: int, 1: string, 2?: int[], 3?: int[]}> The third: posts in which it is locked until or from a day; the fourth: all in which it is locked. */
	private static function all(): array {
		$value = get_option( self::OPTION, array() );
		// An earlier version kept the post alone.
		return array_map(
			function ( $kept ) {
				return is_array( $kept ) ? $kept : array( (int) $kept, 'subscribers' );
			},
			is_array( $value ) ? $value : array()
		);
	}
}
