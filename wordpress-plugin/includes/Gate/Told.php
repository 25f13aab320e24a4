<?php
/**
 * What the hub told of members before anybody asked: whose word must be asked about though its hour is not over, and whether locked
 * parts may be written into pages.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Caches;

final class Told {

	/** Loaded with WordPress's own options: asked with each member's word. */
	const OPTION = 'creator_hq_told';
	const MOST   = 200;
	/** After it every word is asked about. */
	const ASKED_AFTER_SECONDS = HOUR_IN_SECONDS;

	/** @param mixed $told As the hub says it; what is older than what is kept changes nothing. */
	public static function keep( $told ) {
		$at = is_array( $told ) ? (int) ( $told['at'] ?? 0 ) : 0;
		if ( 0 === $at || $at < (int) ( self::all()['at'] ?? 0 ) ) {
			return;
		}
		$asks = array();
		foreach ( array_slice( (array) ( $told['asks'] ?? array() ), 0, self::MOST ) as $entry ) {
			if ( is_array( $entry ) && is_string( $entry['device'] ?? null ) ) {
				$asks[ substr( $entry['device'], 0, 36 ) ] = (int) ( $entry['from'] ?? 0 );
			}
		}
		$was_inline = self::is_inline();
		update_option(
			self::OPTION,
			array(
				'at'           => $at,
				'asks_from'    => (int) ( $told['asksFrom'] ?? 0 ),
				'asks'         => $asks,
				'inline_until' => (int) ( $told['inlineUntil'] ?? 0 ),
			),
			true
		);
		if ( $was_inline && ! self::is_inline() ) {
			// A cache may have kept what it should not.
			Caches::purge_soon( true );
		}
	}

	/** Whether a word that was given to a browser then holds only if the hub says so again. */
	public static function must_ask( string $device, int $given_at ): bool {
		$told = self::all();
		return $given_at <= max( (int) ( $told['asks_from'] ?? 0 ), (int) ( $told['asks'][ $device ] ?? 0 ) );
	}

	public static function is_inline(): bool {
		return (int) ( self::all()['inline_until'] ?? 0 ) > time();
	}

	private static function all(): array {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value : array();
	}
}
