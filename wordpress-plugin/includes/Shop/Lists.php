<?php
/**
 * Shopping lists of the blog's recipes, as the hub says: each post keeps the address of its own in a field, so that a page is drawn
 * without a question to anybody. What is kept is compared with what the hub says, and only what differs is written.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Shop;

use CreatorHq\Caches;
use CreatorHq\Hub;
use CreatorHq\Posts;
use CreatorHq\Settings;
use CreatorHq\State;

final class Lists {

	const META = '_creator_hq_list';
	/** Rows are written in steps of this, so that the rest can follow with the next task. */
	const RUN_SECONDS = 10;

	/** The address of a post's list; '' when it has none. */
	public static function of( int $post ): string {
		return $post > 0 ? (string) get_post_meta( $post, self::META, true ) : '';
	}

	/** By cron, after posts were told, and with the daily report. */
	public static function renew() {
		if ( ! Posts::is_told() || ! Hub::is_worth_asking() ) {
			return;
		}
		$query  = array(
			'siteUrl' => rawurlencode( home_url( '/' ) ),
			'version' => rawurlencode( (string) State::get( 'lists_version', '' ) ),
		);
		$answer = Hub::call( 'GET', add_query_arg( $query, '/plugin/shop-buttons' ) );
		$body   = $answer['body'];
		if ( '' !== $answer['trouble'] || ! is_array( $body['buttons'] ?? null ) || 'live' !== ( $body['state'] ?? '' ) ) {
			return;
		}
		if ( self::keep( $body['buttons'], (string) ( $body['listsAt'] ?? '' ) ) ) {
			State::set( array( 'lists_version' => (string) ( $body['version'] ?? '' ) ) );
		}
	}

	/** Another hub, or none: its lists go. */
	public static function forget() {
		delete_post_meta_by_key( self::META );
		State::set( array( 'lists_version' => '' ) );
	}

	/** @return bool Whether all of it is written. */
	private static function keep( array $buttons, string $lists_at ): bool {
		global $wpdb;
		if ( ! Settings::is_acceptable_hub( $lists_at ) ) {
			return false;
		}
		$wanted = array();
		foreach ( $buttons as $button ) {
			$post = is_array( $button ) ? ( $button['post'] ?? 0 ) : 0;
			$code = is_array( $button ) ? ( $button['code'] ?? '' ) : '';
			if ( is_int( $post ) && $post > 0 && is_string( $code ) && preg_match( '/^[0-9A-Za-z]{4,16}$/D', $code ) ) {
				$wanted[ $post ] = $lists_at . $code;
			}
		}
		$rows = $wpdb->get_results( $wpdb->prepare( 'SELECT post_id, meta_value FROM %i WHERE meta_key = %s', $wpdb->postmeta, self::META ) );
		$kept = array();
		foreach ( $rows as $row ) {
			$kept[ (int) $row->post_id ] = (string) $row->meta_value;
		}
		$until   = time() + self::RUN_SECONDS;
		$changed = array();
		foreach ( array_keys( array_diff_assoc( $wanted, $kept ) + array_diff_key( $kept, $wanted ) ) as $post ) {
			if ( time() >= $until ) {
				break;
			}
			if ( self::write( $post, $wanted[ $post ] ?? '' ) ) {
				$changed[] = $post;
			}
		}
		Caches::purge_posts( $changed );
		return time() < $until;
	}

	/** @return bool Whether its pages look otherwise now. */
	private static function write( int $post, string $url ): bool {
		if ( '' === $url ) {
			return delete_post_meta( $post, self::META );
		}
		// Not for a post that is gone since.
		return null !== get_post( $post ) && false !== update_post_meta( $post, self::META, $url );
	}
}
