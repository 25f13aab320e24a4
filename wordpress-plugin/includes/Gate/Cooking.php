<?php
/**
 * The recipe being cooked: what a browser read as a member stays open in it for half a day, whatever becomes of the membership, the
 * hub or the hub's word meanwhile. The site's own key signs which posts those are.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Forms\Store;

final class Cooking {

	/** Scripts can read this one: ids of the posts. It says that it is worth asking, and opens nothing. */
	const HINT    = 'chq_cooking';
	const SECONDS = 12 * HOUR_IN_SECONDS;
	const MOST    = 5;

	/** A member reads this post. Call before anything is printed. */
	public static function begin( int $post ) {
		// A look by the hub keeps nothing.
		if ( headers_sent() || '' !== MemberPass::marker() ) {
			return;
		}
		$posts = self::posts();
		unset( $posts[ $post ] );
		$posts = array_slice( array( $post => time() + self::SECONDS ) + $posts, 0, self::MOST, true );
		$value = self::made( $posts );
		if ( '' === $value ) {
			return;
		}
		$options = array(
			'expires'  => time() + self::SECONDS,
			'path'     => COOKIEPATH ? COOKIEPATH : '/',
			'secure'   => is_ssl(),
			'samesite' => 'Lax',
		);
		setcookie( self::name(), $value, array_merge( $options, array( 'httponly' => true ) ) );
		setcookie( self::HINT, implode( '.', array_keys( $posts ) ), $options );
	}

	/**
	 * Whether a member reads all of a post, and not only what is for others, too.
	 *
	 * @param string[] $wanted For whom its parts are locked.
	 */
	public static function is_of( array $wanted, string $level ): bool {
		$strictest = Lock::strictest( ...$wanted );
		return Lock::is_open_to( $strictest, 'members' ) && Lock::is_open_to( $level, $strictest );
	}

	public static function is_open( int $post ): bool {
		return isset( self::posts()[ $post ] );
	}

	/** @param array<int, int> $posts Until when each is open. */
	public static function made( array $posts ): string {
		$said = array();
		foreach ( $posts as $post => $until ) {
			$said[] = $post . '-' . $until;
		}
		$keys = Store::signing_keys();
		return array() === $keys ? '' : implode( '.', $said ) . '.' . self::mac( $keys[0], implode( '.', $said ) );
	}

	/** @return array<int, int> Those that are open, the newest first, and until when. */
	private static function posts(): array {
		$kept = wp_unslash( $_COOKIE[ self::name() ] ?? '' );
		if ( ! is_string( $kept ) || ! preg_match( '/^(\d{1,15}-\d{1,12}(?:\.\d{1,15}-\d{1,12}){0,' . ( self::MOST - 1 ) . '})\.([A-Za-z0-9_-]{43})$/', $kept, $parts ) ) {
			return array();
		}
		foreach ( Store::signing_keys() as $key ) {
			if ( hash_equals( self::mac( $key, $parts[1] ), $parts[2] ) ) {
				$posts = array();
				foreach ( explode( '.', $parts[1] ) as $said ) {
					list( $post, $until ) = array_map( 'intval', explode( '-', $said ) );
					if ( $until > time() ) {
						$posts[ $post ] = $until;
					}
				}
				return $posts;
			}
		}
		return array();
	}

	private static function mac( string $key, string $said ): string {
		return Store::mac( $key, array( 'cooking', $said ) );
	}

	private static function name(): string {
		return 'chq_cooking_' . substr( md5( home_url() ), 0, 8 );
	}
}
