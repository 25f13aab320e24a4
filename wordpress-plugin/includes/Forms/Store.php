<?php
/**
 * The forms as the hub printed them, and the keys for their stamps: one option, read once when a page has a form.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

use CreatorHq\Caches;

final class Store {

	const OPTION = 'creator_hq_printed';

	/** @return array<int, array{key: string, kind: string, name: string, version: int, languages: array}> */
	public static function forms(): array {
		return (array) ( self::all()['forms'] ?? array() );
	}

	public static function find( string $key ): ?array {
		foreach ( self::forms() as $form ) {
			if ( $form['key'] === $key ) {
				return $form;
			}
		}
		return null;
	}

	public static function first_of_kind( string $kind ): ?array {
		foreach ( self::forms() as $form ) {
			if ( $form['kind'] === $kind ) {
				return $form;
			}
		}
		return null;
	}

	/** @return string[] Raw bytes, newest first. */
	public static function signing_keys(): array {
		return array_map( 'base64_decode', (array) ( self::all()['keys'] ?? array() ) );
	}

	/** @return string[] By which the hub knows which keys are here. */
	public static function fingerprints(): array {
		return array_map(
			function ( $key ) {
				return substr( self::base64url( hash( 'sha256', $key, true ) ), 0, 16 );
			},
			self::signing_keys()
		);
	}

	/** @param array $parts The first one says what for: no signature is worth anything for something else. */
	public static function mac( string $key, array $parts ): string {
		return self::base64url( hash_hmac( 'sha256', implode( "\n", $parts ), $key, true ) );
	}

	public static function base64url( string $bytes ): string {
		return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	}

	/** Keeps what the hub said; null leaves that part as it is. Page caches are emptied when a form changed. */
	public static function keep( $forms, $keys ) {
		$before = self::all();
		$after  = $before;
		if ( is_array( $forms ) ) {
			$after['forms'] = array_values( array_filter( array_map( array( self::class, 'checked' ), $forms ) ) );
		}
		if ( is_array( $keys ) ) {
			$decoded = array();
			foreach ( $keys as $key ) {
				$bytes = is_string( $key ) ? base64_decode( strtr( $key, '-_', '+/' ), true ) : false;
				if ( is_string( $bytes ) && strlen( $bytes ) >= 16 ) {
					$decoded[] = base64_encode( $bytes );
				}
			}
			$after['keys'] = $decoded;
		}
		if ( $after === $before ) {
			return;
		}
		update_option( self::OPTION, $after, false );
		if ( ( $after['forms'] ?? array() ) !== ( $before['forms'] ?? array() ) ) {
			Caches::purge_soon();
		}
	}

	private static function checked( $form ): ?array {
		if ( ! is_array( $form ) || ! preg_match( '/^[0-9A-Za-z]{22}$/', (string) ( $form['key'] ?? '' ) ) ) {
			return null;
		}
		$languages = array();
		foreach ( (array) ( $form['languages'] ?? array() ) as $entry ) {
			if ( is_array( $entry ) && is_string( $entry['html'] ?? null ) ) {
				$languages[] = array(
					'language' => (string) ( $entry['language'] ?? '' ),
					'html'     => $entry['html'],
				);
			}
		}
		if ( array() === $languages ) {
			return null;
		}
		return array(
			'key'       => $form['key'],
			'kind'      => (string) ( $form['kind'] ?? '' ),
			'name'      => (string) ( $form['name'] ?? '' ),
			'version'   => (int) ( $form['version'] ?? 0 ),
			'languages' => $languages,
		);
	}

	private static function all(): array {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value : array();
	}
}
