<?php
/**
 * What a browser keeps to read on: which press of a button it was, until when, and our signature. The hub signs the same for
 * the links in its mails.
 *
 * No page depends on it: every page is the same locked one for everybody, so that caches may keep it, and what is locked is
 * fetched. Its cookie is none that caches know.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Forms\Store;
use CreatorHq\Hub;

final class Pass {

	/** In links. */
	const PARAMETER = 'chq-pass';
	/** Scripts can read this one; it says that it is worth asking, and opens nothing. */
	const HINT = 'chq_open';

	/** Who does not confirm within this is asked again. */
	const UNCONFIRMED_SECONDS = WEEK_IN_SECONDS;
	/** After this the hub is asked whether they still are subscribers. */
	const CONFIRMED_SECONDS = 30 * DAY_IN_SECONDS;
	const COOKIE_SECONDS    = 400 * DAY_IN_SECONDS;

	/** For somebody who just signed up. */
	public static function give( string $attempt ) {
		self::set( $attempt, time() + self::UNCONFIRMED_SECONDS );
	}

	/**
	 * Whether the browser's pass, or the one of a link, opens. Past its time the hub is asked; while that is away, it opens.
	 * Call before anything is printed.
	 */
	public static function opens( string $of_link = '' ): bool {
		$pass = self::read( $of_link );
		$kept = self::read( self::cookie() );
		// The better one of two.
		if ( null === $pass || ( null !== $kept && $kept['until'] >= $pass['until'] ) ) {
			$pass = $kept;
		}
		if ( null === $pass ) {
			return false;
		}
		if ( $pass['until'] > time() ) {
			if ( $pass !== $kept ) {
				self::set( $pass['attempt'], $pass['until'] );
			}
			return true;
		}
		if ( ! Hub::is_worth_asking() ) {
			return true;
		}
		$answer = Hub::call( 'POST', '/plugin/gate-passes', array( 'attempts' => array( $pass['attempt'] ) ) );
		if ( '' !== $answer['trouble'] ) {
			return 'refused' !== $answer['trouble'];
		}
		if ( true === ( $answer['body']['passes'][0]['opens'] ?? null ) ) {
			self::set( $pass['attempt'], time() + self::CONFIRMED_SECONDS );
			return true;
		}
		self::forget();
		return false;
	}

	public static function make( string $attempt, int $until ): string {
		$keys = Store::signing_keys();
		return array() === $keys ? '' : $attempt . '.' . $until . '.' . self::mac( $keys[0], $attempt, $until );
	}

	/** @return array{attempt: string, until: int}|null */
	private static function read( string $pass ): ?array {
		if ( ! preg_match( '/^([0-9a-f-]{36})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/', $pass, $parts ) ) {
			return null;
		}
		foreach ( Store::signing_keys() as $key ) {
			if ( hash_equals( self::mac( $key, $parts[1], (int) $parts[2] ), $parts[3] ) ) {
				return array(
					'attempt' => $parts[1],
					'until'   => (int) $parts[2],
				);
			}
		}
		return null;
	}

	private static function mac( string $key, string $attempt, int $until ): string {
		return Store::mac( $key, array( 'gate pass', $attempt, $until ) );
	}

	private static function name(): string {
		return 'chq_pass_' . substr( md5( home_url() ), 0, 8 );
	}

	private static function cookie(): string {
		$value = wp_unslash( $_COOKIE[ self::name() ] ?? '' );
		return is_string( $value ) ? $value : '';
	}

	private static function set( string $attempt, int $until ) {
		$pass = self::make( $attempt, $until );
		if ( '' !== $pass ) {
			self::send( $pass, '1', time() + self::COOKIE_SECONDS );
			$_COOKIE[ self::name() ] = $pass;
		}
	}

	private static function forget() {
		self::send( '', '', 1 );
		unset( $_COOKIE[ self::name() ] );
	}

	private static function send( string $pass, string $hint, int $expires ) {
		if ( headers_sent() ) {
			return;
		}
		$options = array(
			'expires'  => $expires,
			'path'     => COOKIEPATH ? COOKIEPATH : '/',
			'secure'   => is_ssl(),
			'samesite' => 'Lax',
		);
		setcookie( self::name(), $pass, array_merge( $options, array( 'httponly' => true ) ) );
		setcookie( self::HINT, $hint, $options );
	}
}
