<?php
/**
 * What somebody chose in wp-admin: the hub and its key, and where forms stand by themselves.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class Settings {

	/** Hub, key and the header with the reader's network: never loaded with an ordinary page. */
	const OPTION = 'creator_hq_connection';
	/** Asked on every post, so it is loaded with WordPress's own options. */
	const PLACES = 'creator_hq_places';
	/** For what only subscribers read. */
	const GATE = 'creator_hq_gate';

	const ADDRESS_HEADERS = array( '', 'HTTP_CF_CONNECTING_IP', 'HTTP_X_REAL_IP', 'HTTP_X_FORWARDED_FOR' );
	const PLACE_CHOICES   = array( 'none', 'before_card', 'in_card', 'after_content' );

	/** Made beforehand: WordPress asks the database for one that is not there, and loads new ones with every page. */
	public static function make_options() {
		foreach ( array( self::OPTION, State::OPTION, Forms\Store::OPTION ) as $own ) {
			add_option( $own, array(), '', false );
		}
		foreach ( array( self::PLACES, self::GATE, Gate\Rules::OPTION, Gate\LockedCards::OPTION, Gate\Memberships::OPTION, Gate\Told::OPTION ) as $of_pages ) {
			add_option( $of_pages, array(), '', true );
		}
	}

	public static function hub(): string {
		return (string) ( self::connection()['hub'] ?? '' );
	}

	/** Before somebody chose one: where the plugin came from. */
	public static function likely_hub(): string {
		return '' === self::hub() ? CREATOR_HQ_HUB : self::hub();
	}

	public static function key(): string {
		return (string) ( self::connection()['key'] ?? '' );
	}

	public static function address_header(): string {
		return (string) ( self::connection()['address_header'] ?? '' );
	}

	public static function is_connected(): bool {
		return '' !== self::hub() && '' !== self::key();
	}

	/** Where forms stand by themselves: 'place', 'form' (its key) and 'not_in' (ids of categories); 'shop': the button under recipe cards. */
	public static function places(): array {
		$places = get_option( self::PLACES, array() );
		$places = is_array( $places ) ? $places : array();
		return array(
			'place'  => in_array( $places['place'] ?? '', self::PLACE_CHOICES, true ) ? $places['place'] : 'none',
			'form'   => (string) ( $places['form'] ?? '' ),
			'not_in' => array_map( 'intval', (array) ( $places['not_in'] ?? array() ) ),
			'shop'   => ! empty( $places['shop'] ),
		);
	}

	/** Also registers there: the option changed. */
	public static function connect_to( string $hub, string $key ) {
		update_option( self::OPTION, array_merge( self::connection(), compact( 'hub', 'key' ) ), false );
	}

	/** What only subscribers read: 'form' (its key; '' for the first that fits) and 'keep_for_search'. */
	public static function gate(): array {
		return self::checked_gate( get_option( self::GATE, array() ) );
	}

	public static function checked_gate( $typed ): array {
		$typed = is_array( $typed ) ? $typed : array();
		return array(
			'form'            => preg_replace( '/[^0-9A-Za-z]/', '', (string) ( $typed['form'] ?? '' ) ),
			'keep_for_search' => ! empty( $typed['keep_for_search'] ),
		);
	}

	/** For the Settings API: what was typed becomes what is kept. An empty key keeps the one that is there. */
	public static function checked_connection( $typed ): array {
		$kept  = self::connection();
		$typed = is_array( $typed ) ? $typed : array();
		$hub   = untrailingslashit( trim( (string) ( $typed['hub'] ?? '' ) ) );
		if ( '' === $hub || self::is_acceptable_hub( $hub ) ) {
			$kept['hub'] = $hub;
		} else {
			self::complain( 'hub', self::unacceptable_hub() );
		}
		$key = trim( (string) ( $typed['key'] ?? '' ) );
		if ( preg_match( '/^chq_[0-9A-Za-z]{20,80}$/', $key ) ) {
			$kept['key'] = $key;
		} elseif ( '' !== $key ) {
			self::complain( 'key', __( 'That is not an API key. It begins with chq_. Copy it in Creator HQ under Settings, API key.', 'creator-hq' ) );
		}
		$header                 = (string) ( $typed['address_header'] ?? '' );
		$kept['address_header'] = in_array( $header, self::ADDRESS_HEADERS, true ) ? $header : '';
		return $kept;
	}

	public static function checked_places( $typed ): array {
		$typed  = is_array( $typed ) ? $typed : array();
		$not_in = $typed['not_in'] ?? array();
		return array(
			'place'  => in_array( $typed['place'] ?? '', self::PLACE_CHOICES, true ) ? $typed['place'] : 'none',
			'form'   => preg_replace( '/[^0-9A-Za-z]/', '', (string) ( $typed['form'] ?? '' ) ),
			'not_in' => array_values( array_filter( array_map( 'intval', is_array( $not_in ) ? $not_in : array() ) ) ),
			'shop'   => ! empty( $typed['shop'] ),
		);
	}

	/** Only over TLS, but on this very machine. */
	public static function is_acceptable_hub( string $hub ): bool {
		$parts = wp_parse_url( $hub );
		if ( ! is_array( $parts ) || empty( $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
			return false;
		}
		$scheme = $parts['scheme'] ?? '';
		return 'https' === $scheme || ( 'http' === $scheme && in_array( $parts['host'], array( 'localhost', '127.0.0.1', '[::1]' ), true ) );
	}

	public static function unacceptable_hub(): string {
		return __( 'The address of your Creator HQ must begin with https://. Without it, anyone between the two could read your key.', 'creator-hq' );
	}

	public static function complain( string $code, string $message, string $type = 'error' ) {
		if ( function_exists( 'add_settings_error' ) ) {
			add_settings_error( self::OPTION, $code, $message, $type );
		}
	}

	private static function connection(): array {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value : array();
	}
}
