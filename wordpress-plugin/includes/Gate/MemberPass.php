<?php
/**
 * What the browser of a member, or of a reader who entered without paying, keeps: the hub's word, signed with the site's key, on
 * who they are to it, which tiers they hold until when, and until when nobody has to ask; and the secret of this browser, with which
 * the word is renewed.
 *
 * Checking it asks nobody. Past `ask_after` the hub is asked again; while that is away, the word holds until `dead_after`.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Forms\Store;
use CreatorHq\Guard;
use CreatorHq\Hub;

final class MemberPass {

	/**
	 * Scripts can read this one: until when they are a member, 0 of other readers; then ids of posts that are open besides, and 0 where any
	 * may be. It says that it is worth asking, keeps ads away, and opens nothing.
	 */
	const HINT           = 'chq_member';
	const COOKIE_SECONDS = 400 * DAY_IN_SECONDS;
	const RENEW          = '/plugin/member-passes/renew';

	/** Of a browser whose word is renewed after a page: 'due' before the next one, 'asked', or what the hub answered. */
	const LATER         = 'creator_hq_renew_';
	const RETRY_SECONDS = 10 * MINUTE_IN_SECONDS;
	const LATER_SECONDS = 2;
	/** Longer than any word holds. */
	const KEPT_SECONDS  = 32 * DAY_IN_SECONDS;

	private static $is_page_first = false;

	private static $level;

	/** The word by which this browser reads; null: none is good. */
	private static $word;

	/** What this browser reads up to, as locks name it; '' for nothing. Call before anything is printed. */
	public static function level(): string {
		if ( null === self::$level ) {
			self::$level = self::look();
		}
		return self::$level;
	}

	/** A page does not wait for the hub, unless it must. */
	public static function renew_after_the_page() {
		self::$is_page_first = true;
	}

	/** Whether a post is open to this browser though what it holds is too low. Call before anything is printed. */
	public static function opens( int $post ): bool {
		self::level();
		return null !== self::$word && ( self::$word['posts'][ $post ] ?? 0 ) > time();
	}

	/** @return array{0: int, 1: int}|null Of a reader who does not pay: how many posts they may still open this month, and of how many. */
	public static function free(): ?array {
		return 'readers' === self::level() ? self::$word['free'] ?? null : null;
	}

	/** A reader who does not pay opens a post: the hub counts it. @return bool Whether it answered. */
	public static function open_for_free( int $post ): bool {
		list( $token, $secret ) = explode( '|', self::cookie() . '|' );
		$word                   = self::read( $token );
		return null !== $word && null !== self::renew( '/plugin/free-opens', $word['device'], $secret, compact( 'post' ) );
	}

	/** Until when a post is open to this browser though what it holds is too low. */
	public static function open_until( int $post ): int {
		return self::opens( $post ) ? self::$word['posts'][ $post ] : 0;
	}

	/** Until when they read on though their payment failed; 0: it did not. Call before anything is printed. */
	public static function late_until(): int {
		self::level();
		return null !== self::$word && self::$word['is_late'] && self::$word['until'] > time() ? self::$word['until'] : 0;
	}

	/** How many recipes this member may still pass to friends this month; 0 of others. */
	public static function to_pass(): int {
		self::level();
		return null === self::$word ? 0 : self::$word['to_pass'];
	}

	/** A member passes a post to a friend. @return string|null The end of a link, '' when none is left; null: the hub did not answer. */
	public static function pass( int $post ): ?string {
		list( $token, $secret ) = explode( '|', self::cookie() . '|' );
		$word                   = self::read( $token );
		$answer                 = null === $word ? null : self::renew( '/plugin/passed-recipes', $word['device'], $secret, compact( 'post' ) );
		return null === $answer ? null : (string) ( $answer['link'] ?? '' );
	}

	/** A friend opens a link. @return bool|null Whether the post is open now; null: the hub did not answer. */
	public static function open_passed( string $link ): ?bool {
		list( $token, $secret ) = explode( '|', self::cookie() . '|' );
		$word                   = self::read( $token );
		$device                 = null === $word ? null : $word['device'];
		$secret                 = null === $word ? null : $secret;
		$answer                 = Hub::call( 'POST', '/plugin/passed-recipes/open', compact( 'link', 'device', 'secret' ) );
		if ( '' !== $answer['trouble'] && 'refused' !== $answer['trouble'] ) {
			return null;
		}
		return self::keep( $answer['body'], (string) ( $answer['body']['secret'] ?? '' ) );
	}

	/** By what the hub knows this browser, when a friend passed a recipe to it; '' else. */
	public static function friend(): string {
		self::level();
		return null === self::$word || array() === self::$word['posts'] || null !== self::$word['free'] ? '' : self::$word['device'];
	}

	/** Whether a word came along, good or not. */
	public static function is_sent(): bool {
		return '' !== self::cookie();
	}

	/** Of a look by the hub, which must not see what is locked: what it is shown instead. '' for readers. */
	public static function marker(): string {
		$token = explode( '|', self::cookie() . '|' )[0];
		// The keys are asked for only when it says so.
		if ( false === strpos( (string) base64_decode( strtr( explode( '.', $token . '..' )[1], '-_', '+/' ) ), '"marker"' ) ) {
			return '';
		}
		$word = self::read( $token );
		return null === $word ? '' : $word['marker'];
	}

	/**
	 * @param array $answer Of the hub: `token` and `tiers`.
	 * @return bool Whether its word is good, and kept.
	 */
	public static function keep( array $answer, string $secret ): bool {
		$token = (string) ( $answer['token'] ?? '' );
		$word  = self::read( $token );
		if ( null === $word || ! preg_match( '/^[A-Za-z0-9_-]{43}$/', $secret ) ) {
			return false;
		}
		Tiers::keep( $answer['tiers'] ?? null );
		self::send( $token . '|' . $secret, self::hint_of( $word ), time() + self::COOKIE_SECONDS );
		self::$word  = $word;
		self::$level = self::level_of( $word );
		return true;
	}

	private static function look(): string {
		list( $token, $secret ) = explode( '|', self::cookie() . '|' );
		$word                   = self::read( $token );
		if ( null === $word ) {
			return '';
		}
		$must_ask = Told::must_ask( $word['device'], $word['ask_after'] - Told::ASKED_AFTER_SECONDS );
		$is_old   = time() >= $word['ask_after'];
		$may_wait = self::$is_page_first && ! $must_ask && '' !== self::level_of( $word );
		if ( $is_old && $may_wait ) {
			if ( self::renew_later( $word['device'], $secret ) ) {
				return self::$level;
			}
		} elseif ( ( $must_ask || $is_old ) && Hub::is_worth_asking() ) {
			if ( null !== self::renew( self::RENEW, $word['device'], $secret ) ) {
				return self::$level;
			}
		}
		self::$word = $must_ask || time() >= $word['dead_after'] ? null : $word;
		return $must_ask ? '' : self::level_of( $word );
	}

	/**
	 * Past its hour a page is served by the word as it is. The hub is asked when the page is there or, where PHP cannot go on then, before
	 * the next one; what it says holds from that one on.
	 *
	 * @return bool Whether what this browser reads is as the hub said since.
	 */
	private static function renew_later( string $device, string $secret ): bool {
		$key       = self::LATER . md5( $device );
		$kept      = get_transient( $key );
		$may_go_on = function_exists( 'fastcgi_finish_request' );
		if ( is_array( $kept ) ) {
			delete_transient( $key );
			self::take( $kept, $secret );
			return true;
		}
		if ( 'due' === $kept && Hub::is_worth_asking() ) {
			set_transient( $key, 'asked', self::RETRY_SECONDS );
			return null !== self::renew( self::RENEW, $device, $secret, array(), self::LATER_SECONDS );
		}
		if ( false === $kept ) {
			set_transient( $key, $may_go_on ? 'asked' : 'due', $may_go_on ? self::RETRY_SECONDS : self::KEPT_SECONDS );
		}
		if ( false === $kept && $may_go_on && Hub::is_worth_asking() ) {
			add_action(
				'shutdown',
				Guard::action(
					function () use ( $key, $device, $secret ) {
						fastcgi_finish_request();
						$answer = Hub::call( 'POST', self::RENEW, compact( 'device', 'secret' ), self::LATER_SECONDS );
						if ( in_array( $answer['trouble'], array( '', 'refused' ), true ) ) {
							// A no is kept until it was heard; a word that nobody fetched is asked for again.
							set_transient( $key, $answer['body'], empty( $answer['body']['token'] ) ? self::KEPT_SECONDS : HOUR_IN_SECONDS );
						}
					}
				),
				PHP_INT_MAX
			);
		}
		return false;
	}

	/** @return array|null What the hub answered: what this browser reads is as it says; null: nothing. */
	private static function renew( string $path, string $device, string $secret, array $more = array(), int $seconds = Hub::TIMEOUT_SECONDS ): ?array {
		$answer = Hub::call( 'POST', $path, compact( 'device', 'secret' ) + $more, $seconds );
		if ( '' !== $answer['trouble'] && 'refused' !== $answer['trouble'] ) {
			return null;
		}
		self::take( $answer['body'], $secret );
		return $answer['body'];
	}

	/** What the hub answered about this browser: a word, or none. */
	private static function take( array $body, string $secret ) {
		if ( ! self::keep( $body, $secret ) ) {
			self::send( '', '', 1 );
			self::$level = '';
			self::$word  = null;
		}
	}

	private static function hint_of( array $word ): string {
		$posts = array_keys( $word['posts'] );
		return implode( '.', array_merge( array( min( $word['until'], $word['dead_after'] ) ), $posts, null === $word['free'] ? array() : array( 0 ) ) );
	}

	private static function level_of( array $word ): string {
		if ( time() >= $word['dead_after'] ) {
			return '';
		}
		if ( time() >= $word['until'] ) {
			return $word['is_reader'] ? 'readers' : '';
		}
		if ( '' !== $word['marker'] ) {
			return Lock::HIGHEST;
		}
		$tier = Tiers::highest_of( $word['tiers'] );
		return '' === $tier ? 'members' : $tier;
	}

	/** @return array{device: string, until: int, tiers: array<string, int>, is_reader: bool, posts: array<int, int>, free: array{0: int, 1: int}|null, to_pass: int, is_late: bool, ask_after: int, dead_after: int, marker: string}|null */
	private static function read( string $token ): ?array {
		if ( ! preg_match( '/^chq1\.([A-Za-z0-9_-]{1,600})\.([A-Za-z0-9_-]{43})$/', $token, $parts ) ) {
			return null;
		}
		foreach ( Store::signing_keys() as $key ) {
			if ( ! hash_equals( Store::mac( $key, array( 'member pass', $parts[1] ) ), $parts[2] ) ) {
				continue;
			}
			$said = json_decode( (string) base64_decode( strtr( $parts[1], '-_', '+/' ), true ), true );
			if ( ! is_array( $said ) ) {
				return null;
			}
			return array(
				'device'     => (string) ( $said['device'] ?? '' ),
				'until'      => (int) ( $said['until'] ?? 0 ),
				'tiers'      => (array) ( $said['tiers'] ?? array() ),
				'is_reader'  => true === ( $said['isReader'] ?? false ),
				'posts'      => array_map( 'intval', (array) ( $said['posts'] ?? array() ) ),
				'free'       => is_array( $said['free'] ?? null ) ? array_map( 'intval', $said['free'] ) : null,
				'to_pass'    => (int) ( $said['toPass'] ?? 0 ),
				'is_late'    => true === ( $said['isLate'] ?? false ),
				'ask_after'  => (int) ( $said['askAfter'] ?? 0 ),
				'dead_after' => (int) ( $said['deadAfter'] ?? 0 ),
				'marker'     => self::checked_marker( $said['marker'] ?? '' ),
			);
		}
		return null;
	}

	private static function checked_marker( $marker ): string {
		return is_string( $marker ) && preg_match( '/^chqprobe[0-9a-f]{20}$/', $marker ) ? $marker : '';
	}

	/** Begins as WordPress's own cookie for protected posts: caches that heed cookies leave its pages alone. */
	public static function name(): string {
		return 'wp-postpass_chq_' . substr( md5( home_url() ), 0, 8 );
	}

	private static function cookie(): string {
		$value = wp_unslash( $_COOKIE[ self::name() ] ?? '' );
		return is_string( $value ) ? $value : '';
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
