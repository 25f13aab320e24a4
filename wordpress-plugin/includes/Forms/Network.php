<?php
/**
 * How much comes from one network. Kept for ten minutes, as keyed hashes.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

use CreatorHq\Settings;
use CreatorHq\State;
use CreatorHq\Tables;

final class Network {

	const WINDOW_SECONDS = 600;
	const MAX_IN_WINDOW  = 20;
	/** From a network with this many people behind it the form as a whole is limited, so that no popular post is shut out. */
	const PROXY_ADDRESSES    = 20;
	const MAX_OF_FORM        = 2000;

	/** The reader's /24 or /64, as a keyed hash: the hub cannot tell where somebody is. */
	public static function hashed(): string {
		$packed = inet_pton( self::reader_ip() );
		$prefix = false === $packed ? '' : substr( $packed, 0, 4 === strlen( $packed ) ? 3 : 8 );
		return rtrim( strtr( base64_encode( hash_hmac( 'sha256', 'network ' . $prefix, wp_salt(), true ) ), '+/', '-_' ), '=' );
	}

	public static function may_submit( string $network, string $form ): bool {
		global $wpdb;
		$table = Tables::recent();
		$since = time() - self::WINDOW_SECONDS;
		$seen  = $wpdb->get_row(
			$wpdb->prepare( 'SELECT COUNT(*) AS times, COUNT(DISTINCT address) AS people FROM %i WHERE network = %s AND noted_at > %d', $table, $network, $since )
		);
		if ( ! $seen || (int) $seen->times < self::MAX_IN_WINDOW ) {
			return true;
		}
		if ( (int) $seen->people < self::PROXY_ADDRESSES ) {
			return false;
		}
		if ( time() - (int) State::get( 'proxy_seen_at', 0 ) > DAY_IN_SECONDS ) {
			State::set( array( 'proxy_seen_at' => time() ) );
		}
		$times = $wpdb->get_var( $wpdb->prepare( 'SELECT COUNT(*) FROM %i WHERE form = %s AND noted_at > %d', $table, $form, $since ) );
		return (int) $times < self::MAX_OF_FORM;
	}

	public static function note( string $network, string $email, string $form, int $post, string $recipe, string $attempt ) {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( 'DELETE FROM %i WHERE noted_at <= %d', Tables::recent(), time() - self::WINDOW_SECONDS ) );
		$wpdb->insert(
			Tables::recent(),
			array(
				'network'  => $network,
				'address'  => self::hashed_address( $email ),
				'form'     => $form,
				'page'     => $post . ' ' . $recipe,
				'attempt'  => $attempt,
				'noted_at' => time(),
			)
		);
	}

	/** The attempt of the same press before, if it was within ten minutes. */
	public static function attempt_of( string $email, string $form, int $post, string $recipe ): ?string {
		global $wpdb;
		return $wpdb->get_var(
			$wpdb->prepare(
				'SELECT attempt FROM %i WHERE address = %s AND form = %s AND page = %s AND noted_at > %d ORDER BY id DESC LIMIT 1',
				Tables::recent(),
				self::hashed_address( $email ),
				$form,
				$post . ' ' . $recipe,
				time() - self::WINDOW_SECONDS
			)
		);
	}

	public static function hashed_address( string $email ): string {
		return hash_hmac( 'sha256', 'address ' . strtolower( $email ), wp_salt() );
	}

	/** Where the request comes from; behind a proxy, what somebody chose to believe. */
	private static function reader_ip(): string {
		$header = Settings::address_header();
		$value  = '' === $header ? '' : sanitize_text_field( wp_unslash( $_SERVER[ $header ] ?? '' ) );
		// The last one is what the nearest proxy saw; those before it can be made up.
		$parts = explode( ',', $value );
		$ip    = trim( (string) end( $parts ) );
		if ( ! filter_var( $ip, FILTER_VALIDATE_IP ) ) {
			$ip = sanitize_text_field( wp_unslash( $_SERVER['REMOTE_ADDR'] ?? '' ) );
		}
		$ip = (string) apply_filters( 'creator_hq_reader_ip', $ip );
		return filter_var( $ip, FILTER_VALIDATE_IP ) ? $ip : '0.0.0.0';
	}
}
