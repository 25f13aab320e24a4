<?php
/**
 * The second way to show what is locked: written into the page itself for a member's browser. Only while the hub has seen that the
 * caches before this blog give a member's page to nobody else; and for the hub's own look at that.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Inline {

	public static function hook() {
		// Before what is locked is cut. Not guarded: after an error of ours nothing is open.
		add_filter( 'the_posts', array( self::class, 'open' ), PHP_INT_MAX - 1, 2 );
	}

	public static function open( $posts, $query ) {
		if ( ! MemberPass::is_sent() || ! self::is_page( $query ) || ! isset( $posts[0] ) || ! $posts[0] instanceof \WP_Post ) {
			return $posts;
		}
		if ( ! Lock::is_locked( $posts[0] ) || headers_sent() ) {
			return $posts;
		}
		$marker = MemberPass::marker();
		if ( '' !== $marker && '' !== MemberPass::level() ) {
			Access::show_marker( $marker );
			Access::keep_out_of_caches();
		} elseif ( Told::is_inline() ) {
			MemberPass::renew_after_the_page();
			if ( '' !== MemberPass::level() ) {
				Access::open( MemberPass::level() );
				Access::keep_out_of_caches();
			}
		}
		return $posts;
	}

	private static function is_page( $query ): bool {
		return $query instanceof \WP_Query && $query->is_main_query() && $query->is_singular() && ! $query->is_feed() && ! $query->is_embed()
			&& 'GET' === ( $_SERVER['REQUEST_METHOD'] ?? '' ) && ! is_admin();
	}
}
