<?php
/**
 * Who may read what is locked: people who may edit the post, and a request that came with a pass. Each reads what is for those
 * below, too.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Access {

	/** @var string What this request reads up to, as locks name it; '' for what is open to all. */
	private static $level = '';
	private static $is_by_post = false;

	/** What a look by the hub is shown in the place of what is locked; '' for readers. */
	private static $marker = '';

	/** What of a post's text this request may show. */
	public static function shown( string $content, int $post ): string {
		$text = Rules::applied( $content, $post );
		if ( '' !== self::$marker && Lock::is_in( $text ) ) {
			return (string) preg_replace( Lock::HOLE, '<p>' . self::$marker . '</p>', Lock::cut( $text, '' ) );
		}
		return ! Lock::is_in( $text ) || self::may_edit( $post ) ? $content : Lock::cut( $text, self::level_of( $post ) );
	}

	/** @param string $who For whom something of the post is locked; '' when it is not. */
	public static function opens( string $who, int $post ): bool {
		return Lock::is_open_to( self::level_of( $post ), $who );
	}

	/** For what is left of this request, which no cache keeps: each post that is open to this browser by itself. */
	public static function open_posts() {
		self::$is_by_post = true;
	}

	/** Whether this browser cooks from it, or it is open to them without what they hold. Call before anything is printed. */
	public static function is_open_by_itself( int $post ): bool {
		return Cooking::is_open( $post ) || MemberPass::opens( $post );
	}

	private static function level_of( int $post ): string {
		if ( ViewAs::is_on() ) {
			return ViewAs::level( $post );
		}
		return self::$is_by_post && self::is_open_by_itself( $post ) ? Lock::HIGHEST : self::$level;
	}

	public static function show_marker( string $marker ) {
		self::$marker = $marker;
	}

	public static function may_edit( int $post ): bool {
		// Only who has logged in: WordPress would read the post again to say so of a stranger.
		return $post && is_user_logged_in() && current_user_can( 'edit_post', $post ) && ! ViewAs::is_on();
	}

	/** For what is left of this request, which no cache keeps. */
	public static function open( string $level ) {
		self::$level = $level;
	}

	/** Of somebody who is a member, and of a tier too low for this. */
	public static function is_of_lower_tier( string $who, int $post ): bool {
		return self::opens( 'members', $post ) && ! self::opens( $who, $post );
	}

	/** Runs something with everything open. */
	public static function opened( callable $callback, string $level = Lock::HIGHEST ) {
		$before      = self::$level;
		self::$level = $level;
		try {
			return $callback();
		} finally {
			self::$level = $before;
		}
	}

	/** Whether this request shows something that not everybody reads, and no cache keeps it. */
	public static function is_for_one(): bool {
		return ( '' !== self::$level || self::$is_by_post ) && ! ViewAs::is_on();
	}

	/** By what came with this request. */
	public static function is_something_open(): bool {
		return '' !== self::$level;
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
