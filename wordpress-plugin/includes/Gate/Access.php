<?php
/**
 * Who may read what is locked: people who may edit the post, and a request that came with a pass.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Access {

	private static $is_opened = false;

	public static function may_see( int $post ): bool {
		return self::$is_opened || self::may_edit( $post );
	}

	public static function may_edit( int $post ): bool {
		return $post && current_user_can( 'edit_post', $post );
	}

	/** For what is left of this request, which no cache keeps. */
	public static function open() {
		self::$is_opened = true;
	}

	/** Runs something with everything open. */
	public static function opened( callable $callback ) {
		$before          = self::$is_opened;
		self::$is_opened = true;
		try {
			return $callback();
		} finally {
			self::$is_opened = $before;
		}
	}

	/** Before anything of a page that somebody sees open. */
	public static function keep_out_of_caches() {
		if ( ! defined( 'DONOTCACHEPAGE' ) ) {
			define( 'DONOTCACHEPAGE', true );
		}
		if ( ! headers_sent() ) {
			nocache_headers();
			header( 'Cache-Control: private, no-store' );
		}
	}
}
