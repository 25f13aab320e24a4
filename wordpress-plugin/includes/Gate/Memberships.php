<?php
/**
 * What the hub told of memberships that pages need: one small option, loaded with WordPress's own, so that no page asks for it.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Memberships {

	const OPTION = 'creator_hq_memberships';

	public static function get( string $name, $otherwise = '' ) {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value[ $name ] ?? $otherwise : $otherwise;
	}

	/** What the hub told; pages change when it does. */
	public static function keep( array $told ) {
		$before = get_option( self::OPTION );
		$after  = array_merge( is_array( $before ) ? $before : array(), $told );
		if ( $before === $after ) {
			return;
		}
		update_option( self::OPTION, $after, true );
		\CreatorHq\Caches::purge_soon();
	}
}
