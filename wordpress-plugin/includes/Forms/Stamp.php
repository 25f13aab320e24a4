<?php
/**
 * Proves that this blog printed a form for a post and a recipe. It takes the place of a nonce, which is stale in every page
 * that a cache keeps.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

final class Stamp {

	/** The oldest page from a cache whose form still works. */
	const VALID_SECONDS = 60 * DAY_IN_SECONDS;
	/** Servers of one blog may disagree by this much. */
	const AHEAD_SECONDS = 5 * MINUTE_IN_SECONDS;

	public static function make( string $form, int $post, string $recipe ): string {
		$keys = Store::signing_keys();
		$now  = time();
		return array() === $keys ? '' : $now . '.' . self::mac( $keys[0], $form, $post, $recipe, $now );
	}

	public static function is_valid( string $stamp, string $form, int $post, string $recipe ): bool {
		if ( ! preg_match( '/^(\d{1,12})\.([A-Za-z0-9_-]{43})$/', $stamp, $parts ) ) {
			return false;
		}
		$at = (int) $parts[1];
		if ( $at > time() + self::AHEAD_SECONDS || $at < time() - self::VALID_SECONDS ) {
			return false;
		}
		foreach ( Store::signing_keys() as $key ) {
			if ( hash_equals( self::mac( $key, $form, $post, $recipe, $at ), $parts[2] ) ) {
				return true;
			}
		}
		return false;
	}

	/** Of this site alone: a stamp of the same creator's other site is worth nothing here. */
	private static function mac( string $key, string $form, int $post, string $recipe, int $at ): string {
		return Store::mac( $key, array( 'form stamp', home_url(), $form, $post, $recipe, $at ) );
	}
}
