<?php
/**
 * Page caches: emptied when a form changed, once a minute at most, when a lock did, or of the posts that look otherwise. Old pages go on
 * working, they only look old.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class Caches {

	/** Of more posts all pages are emptied. */
	const MANY_POSTS = 50;

	/** Names of those that are here. */
	public static function found(): array {
		return array_keys( array_filter( self::purges(), 'is_callable' ) );
	}

	/** @param bool $now Also within a minute of another one: of what is locked no open page may be kept. */
	public static function purge_soon( bool $now = false ) {
		if ( ! $now && time() - (int) State::get( 'purged_at', 0 ) < MINUTE_IN_SECONDS ) {
			return;
		}
		State::set( array( 'purged_at' => time() ) );
		foreach ( self::purges() as $purge ) {
			self::call( $purge );
		}
		if ( has_action( 'litespeed_purge_all' ) ) {
			do_action( 'litespeed_purge_all' ); // phpcs:ignore -- LiteSpeed's own.
		}
		do_action( 'creator_hq_changed' );
	}

	/** @param int[] $posts */
	public static function purge_posts( array $posts ) {
		if ( array() === $posts ) {
			return;
		}
		if ( count( $posts ) > self::MANY_POSTS ) {
			self::purge_soon();
			return;
		}
		$of_a_post = self::purges_of_a_post();
		foreach ( array_filter( self::purges(), 'is_callable' ) as $name => $purge ) {
			foreach ( is_callable( $of_a_post[ $name ] ?? null ) ? $posts : array() as $post ) {
				self::call( $of_a_post[ $name ], $post );
			}
			if ( ! is_callable( $of_a_post[ $name ] ?? null ) ) {
				self::call( $purge );
			}
		}
		foreach ( $posts as $post ) {
			do_action( 'litespeed_purge_post', $post ); // phpcs:ignore -- LiteSpeed's own.
		}
		do_action( 'creator_hq_changed' );
	}

	private static function call( $purge, ...$arguments ) {
		if ( is_callable( $purge ) ) {
			try {
				call_user_func( $purge, ...$arguments );
			} catch ( \Throwable $error ) {
				Guard::log( $error );
			}
		}
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

	/** Of those that can; each is given the post's id. [C 2026-11] */
	private static function purges_of_a_post(): array {
		return array(
			'WP Rocket'        => 'rocket_clean_post',
			'W3 Total Cache'   => 'w3tc_flush_post',
			'WP Super Cache'   => 'wpsc_delete_post_cache',
			'WP Fastest Cache' => 'wpfc_clear_post_cache_by_id',
			'SiteGround'       => function ( $post ) {
				call_user_func( 'sg_cachepress_purge_cache', get_permalink( $post ) );
			},
			'WP Engine'        => array( 'WpeCommon', 'purge_varnish_cache' ),
		);
	}
}
