<?php
/**
 * How a member comes in, or a reader who does not pay: a button leads to the hub, where they say who they are, and back with a
 * grant. The hub gives its word for the grant only together with what this browser was given before it left: a link from somebody
 * else signs nobody in.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Forms\Store;
use CreatorHq\Guard;
use CreatorHq\Hub;
use CreatorHq\State;

final class Enter {

	const PARAMETER = 'creator-hq';
	const COOKIE    = 'chq_start';
	/** The way back. A path: some caches give one answer to all queries. */
	const PATH  = 'creator-hq-entered';
	const GRANT = '/(?:^|\/)creator-hq-entered\/([A-Za-z0-9_-]{20,100})\/?$/';

	public static function hook() {
		add_action( 'wp_loaded', Guard::action( array( self::class, 'answer' ) ), 11 );
	}

	/** Where the hub asks members who they are; '' while it has no memberships. */
	public static function members_at(): string {
		return (string) Memberships::get( 'members_at' );
	}

	/** Where the hub lets readers become members; '' while nothing is for sale. */
	public static function join_at(): string {
		return (string) Memberships::get( 'join_at' );
	}

	/** Where the hub lets readers enter without paying; '' while it does not. */
	public static function readers_at(): string {
		return (string) Memberships::get( 'readers_at' );
	}

	/** Where members change their tier; '' while nothing is for sale. */
	private static function account_at(): string {
		return '' === self::join_at() ? '' : self::join_at() . '/account';
	}

	/**
	 * @param string $what  'enter', 'join', 'read' without paying, or 'change' the tier.
	 * @param string $label Not escaped.
	 */
	public static function button( string $what, string $label, \WP_Post $post ): string {
		return '<form method="post" action="' . esc_url( add_query_arg( self::PARAMETER, $what, home_url( '/' ) ) ) . '">'
			. '<input type="hidden" name="to" value="' . esc_attr( self::path_of( (string) get_permalink( $post ) ) ) . '">'
			. '<button type="submit" class="wp-element-button">' . esc_html( $label ) . '</button></form>';
	}

	public static function answer() {
		// phpcs:disable WordPress.Security.NonceVerification -- It gives this browser a start of its own; a grant counts only with it.
		$what = wp_unslash( $_GET[ self::PARAMETER ] ?? '' );
		$ways = array(
			'enter'  => self::members_at(),
			'join'   => self::join_at(),
			'read'   => self::readers_at(),
			'change' => self::account_at(),
		);
		if ( is_string( $what ) && isset( $ways[ $what ] ) && 'POST' === ( $_SERVER['REQUEST_METHOD'] ?? '' ) ) {
			self::leave_for_hub( $ways[ $what ], 'join' === $what ? MemberPass::friend() : '', (string) wp_unslash( is_string( $_POST['to'] ?? null ) ? $_POST['to'] : '/' ) );
		}
		$path = (string) wp_parse_url( wp_unslash( (string) ( $_SERVER['REQUEST_URI'] ?? '' ) ), PHP_URL_PATH );
		// Sites without addresses of their own for posts know no paths.
		$grant = wp_unslash( $_GET[ self::PATH ] ?? '' );
		if ( preg_match( self::GRANT, $path, $found ) || preg_match( self::GRANT, self::PATH . '/' . ( is_string( $grant ) ? $grant : '' ), $found ) ) {
			self::come_back( $found[1] );
		}
		// phpcs:enable
	}

	/** @param string $friend By what the hub knows a browser to which a recipe was passed. */
	private static function leave_for_hub( string $at, string $friend, string $to ) {
		if ( '' === $at ) {
			return;
		}
		$start = Store::base64url( random_bytes( 32 ) );
		$keys  = Store::signing_keys();
		if ( array() === $keys ) {
			return;
		}
		self::set( $start . '.' . self::mac( $keys[0], $start ), time() + HOUR_IN_SECONDS );
		nocache_headers();
		$query = array(
			'site'  => rawurlencode( (string) State::get( 'site_id', '' ) ),
			'to'    => rawurlencode( self::path_of( $to ) ),
			'start' => Store::base64url( hash( 'sha256', $start, true ) ),
			'back'  => '' === (string) get_option( 'permalink_structure' ) ? 'query' : 'path',
		) + ( '' === $friend ? array() : array( 'friend' => rawurlencode( $friend ) ) );
		// phpcs:ignore WordPress.Security.SafeRedirect -- To the hub that this site is connected to.
		wp_redirect( add_query_arg( $query, $at ), 303, 'Creator HQ' );
		exit;
	}

	private static function come_back( string $grant ) {
		nocache_headers();
		$start = self::start();
		// What did not begin here asks nobody.
		$answer = '' === $start ? array(
			'trouble' => 'refused',
			'body'    => array(),
		) : Hub::call( 'POST', '/plugin/member-passes', compact( 'grant', 'start' ) );
		$body   = $answer['body'];
		if ( '' === $answer['trouble'] && MemberPass::keep( $body, (string) ( $body['secret'] ?? '' ) ) ) {
			self::set( '', 1 );
			if ( wp_safe_redirect( home_url( self::path_of( (string) ( $body['to'] ?? '/' ) ) ), 303, 'Creator HQ' ) ) {
				exit;
			}
		}
		$message = in_array( $answer['trouble'], array( '', 'refused' ), true )
			? __( 'This way in was used already, is too old, or was begun in another browser. Please go back to the recipe and enter again.', 'creator-hq' )
			: __( 'Sorry, that did not work. Please try again later.', 'creator-hq' );
		wp_die(
			esc_html( $message ),
			esc_html__( 'For members', 'creator-hq' ),
			array(
				'response'  => 403,
				'link_url'  => esc_url( home_url( '/' ) ),
				'link_text' => esc_html( get_bloginfo( 'name' ) ),
			)
		);
	}

	/** What this browser was given before it left; '' when that was not by us. */
	private static function start(): string {
		$kept = wp_unslash( $_COOKIE[ self::COOKIE ] ?? '' );
		if ( ! is_string( $kept ) || ! preg_match( '/^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/', $kept, $parts ) ) {
			return '';
		}
		foreach ( Store::signing_keys() as $key ) {
			if ( hash_equals( self::mac( $key, $parts[1] ), $parts[2] ) ) {
				return $parts[1];
			}
		}
		return '';
	}

	private static function mac( string $key, string $start ): string {
		return Store::mac( $key, array( 'member start', $start ) );
	}

	/** Of this site: a path, whatever somebody made of the address. */
	private static function path_of( string $address ): string {
		$parts = wp_parse_url( $address );
		$home  = (string) wp_parse_url( home_url(), PHP_URL_PATH );
		$path  = is_array( $parts ) ? '/' . ltrim( (string) ( $parts['path'] ?? '/' ), '/\\' ) : '/';
		if ( '' !== $home && 0 === strpos( $path . '/', rtrim( $home, '/' ) . '/' ) ) {
			$path = '/' . ltrim( substr( $path, strlen( $home ) ), '/' );
		}
		return $path . ( isset( $parts['query'] ) ? '?' . $parts['query'] : '' );
	}

	private static function set( string $start, int $expires ) {
		$options = array(
			'expires'  => $expires,
			'path'     => COOKIEPATH ? COOKIEPATH : '/',
			'secure'   => is_ssl(),
			'httponly' => true,
			'samesite' => 'Lax',
		);
		setcookie( self::COOKIE, $start, $options );
	}
}
