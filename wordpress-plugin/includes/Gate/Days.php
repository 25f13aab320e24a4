<?php
/**
 * Days until or from which a lock holds, in the blog's own time: "members first, open to all from a day", and the other way round.
 * Each view goes by the date; WordPress's cron only empties the caches and tells the hub.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Caches;
use CreatorHq\Guard;
use CreatorHq\Posts;

final class Days {

	/** Of a post's own lock: 'until' or 'from', and a day: `until 2026-12-24`. Editors alone see it. */
	const META = '_creator_hq_lock_day';
	const CRON = 'creator_hq_lock_day';
	const MARK = '/\b(until|from)"?\s*[:=]\s*["\']?(\d{4}-\d\d-\d\d)/';

	public static function hook() {
		add_action( self::CRON, Guard::action( array( self::class, 'came' ) ) );
	}

	/**
	 * Whether a lock with these holds today. In doubt it does.
	 *
	 * @param array $attributes `until`: the first day on which it doesn't; `from`: the first on which it does.
	 */
	public static function hold( array $attributes ): bool {
		$today = wp_date( 'Y-m-d' );
		$until = self::day( $attributes['until'] ?? '' );
		$from  = self::day( $attributes['from'] ?? '' );
		return ( '' === $until || $today < $until ) && ( '' === $from || $today >= $from );
	}

	/** @return array<string, string> As the attributes of a block, of a post's own lock. */
	public static function of( int $post ): array {
		$said = explode( ' ', (string) get_post_meta( $post, self::META, true ), 2 );
		return in_array( $said[0], array( 'until', 'from' ), true ) ? array( $said[0] => self::day( $said[1] ?? '' ) ) : array();
	}

	/** @return string[] Days on which something of a post is locked or opened. */
	public static function in( \WP_Post $post ): array {
		$found = array();
		$text  = Rules::with_patterns( $post->post_content );
		if ( Lock::is_in( $text ) ) {
			preg_match_all( self::MARK, $text, $marks );
			$found = $marks[2];
		}
		return array_filter( array_merge( $found, array_values( self::of( $post->ID ) ), Rules::days_of_post( $post->ID ) ), array( self::class, 'day' ) );
	}

	/** The day so many days after a post was published. */
	public static function after( int $post, int $days ): string {
		$published = get_post_datetime( $post );
		return $published ? $published->modify( '+' . $days . ' days' )->format( 'Y-m-d' ) : '';
	}

	public static function plan( $id ) {
		$post = get_post( $id );
		if ( ! $post ) {
			return;
		}
		wp_clear_scheduled_hook( self::CRON, array( $post->ID ) );
		$moments = array();
		foreach ( self::in( $post ) as $day ) {
			$moments[] = ( new \DateTimeImmutable( $day, wp_timezone() ) )->getTimestamp();
		}
		$moments = array_filter(
			$moments,
			function ( $moment ) {
				return $moment > time();
			}
		);
		if ( array() !== $moments ) {
			wp_schedule_single_event( min( $moments ), self::CRON, array( $post->ID ) );
		}
	}

	public static function came( $id ) {
		Caches::purge_posts( array( (int) $id ) );
		Posts::note_if_public( (int) $id );
		self::plan( $id );
	}

	/** '' for what is no day. */
	private static function day( $said ): string {
		$is_day = is_string( $said ) && preg_match( '/^(\d{4})-(\d\d)-(\d\d)$/', $said, $parts ) && checkdate( (int) $parts[2], (int) $parts[3], (int) $parts[1] );
		return $is_day ? $said : '';
	}
}
