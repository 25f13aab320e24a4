<?php
/**
 * What the plugin noticed: when it last heard from the hub, why not, and what was lost. One option, never loaded with a page.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class State {

	const OPTION = 'creator_hq_state';

	/** How many lines of the log are kept. */
	const LOG_LINES = 100;

	public static function get( string $name, $otherwise = null ) {
		return self::all()[ $name ] ?? $otherwise;
	}

	public static function all(): array {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value : array();
	}

	public static function set( array $changes ) {
		update_option( self::OPTION, array_merge( self::all(), $changes ), false );
	}

	/** A line for wp-admin. It never names a reader. */
	public static function note( string $text ) {
		$log   = (array) self::get( 'log', array() );
		$log[] = array( time(), $text );
		self::set( array( 'log' => array_slice( $log, -self::LOG_LINES ) ) );
	}
}
