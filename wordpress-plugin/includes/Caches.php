<?php
/**
 * Page caches: emptied when a form changed, once a minute at most. Old pages go on working, they only look old.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class Caches {

	/** Names of those that are here. */
	public static function found(): array {
		return array_keys( array_filter( self::purges(), 'is_callable' ) );
	}

	public static function purge_soon() {
		if ( time() - (int) State::get( 'purged_at', 0 ) < MINUTE_IN_SECONDS ) {
			return;
		}
		State::set( array( 'purged_at' => time() ) );
		foreach ( self::purges() as $purge ) {
			if ( is_callable( $purge ) ) {
				try {
					call_user_func( $purge );
				} catch ( \Throwable $error ) {
					Guard::log( $error );
				}
			}
		}
		if ( has_action( 'litespeed_purge_all' ) ) {
			do_action( 'litespeed_purge_all' ); // phpcs:ignore -- LiteSpeed's own.
		}
		do_action( 'creator_hq_changed' );
	}

	private static function purges(): array {
		return array(
			'WP Rocket'        => 'rocket_clean_domain',
			'W3 Total Cache'   => 'w3tc_flush_posts',
			'WP Super Cache'   => 'wp_cache_clear_cache',
			'WP Fastest Cache' => 'wpfc_clear_all_cache',
			'SiteGround'       => 'sg_cachepress_purge_cache',
			'WP Engine'        => array( 'WpeCommon', 'purge_varnish_cache' ),
			'Breeze'           => array( 'Breeze_PurgeCache', 'breeze_cache_flush' ),
		);
	}
}
