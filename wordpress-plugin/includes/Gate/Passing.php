<?php
/**
 * A recipe that a member passes to a friend: a button below what they read makes a link, which opens that one post in the friend's
 * browser for some time. The link leads to a page with a button: programs that look at links do not use it up.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Forms\Store;
use CreatorHq\Guard;

final class Passing {

	/** The way in: a path, as some caches give one answer to all queries. */
	const PATH = 'creator-hq-passed';
	const LINK = '/(?:^|\/)creator-hq-passed\/(\d{1,15})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\/?$/';

	const QUIET = 'min-height:44px;padding:0;border:0;background:none;color:inherit;font:inherit;text-align:start;text-decoration:underline;cursor:pointer';

	/** The link that this request made. */
	private static $made = '';

	public static function hook() {
		add_action( 'wp_loaded', Guard::action( array( self::class, 'answer' ) ), 11 );
		add_filter( 'the_content', Guard::filter( array( self::class, 'below' ) ), PHP_INT_MAX );
	}

	/** A friend comes by a link. */
	public static function answer() {
		// phpcs:disable WordPress.Security.NonceVerification -- It opens one post in this browser, by a link that only its reader knows.
		$path = (string) wp_parse_url( wp_unslash( (string) ( $_SERVER['REQUEST_URI'] ?? '' ) ), PHP_URL_PATH );
		// Sites without addresses of their own for posts know no paths.
		$link = wp_unslash( $_GET[ self::PATH ] ?? '' );
		// phpcs:enable
		if ( ! preg_match( self::LINK, $path, $found ) && ! preg_match( self::LINK, self::PATH . '/' . ( is_string( $link ) ? $link : '' ), $found ) ) {
			return;
		}
		list( , $id, $link, $mac ) = $found;
		nocache_headers();
		$post = get_post( (int) $id );
		if ( ! self::is_ours( $id . '.' . $link, $mac ) || ! $post || ! is_post_publicly_viewable( $post ) ) {
			self::say( __( 'This link does not lead to a recipe. Please check that it is whole.', 'creator-hq' ), null );
		}
		if ( 'POST' !== ( $_SERVER['REQUEST_METHOD'] ?? '' ) ) {
			self::say( __( 'A friend passed you this recipe. It is for members, and opens here for 48 hours.', 'creator-hq' ), $post, true );
		}
		$opened = MemberPass::opens( $post->ID ) ? true : MemberPass::open_passed( $link );
		if ( null === $opened ) {
			self::say( __( 'Sorry, that did not work. Please try again later.', 'creator-hq' ), $post, true );
		}
		if ( ! $opened ) {
			self::say( __( 'This link is over: it opens a recipe for 48 hours, in a few browsers.', 'creator-hq' ), $post );
		}
		if ( wp_safe_redirect( get_permalink( $post ), 303, 'Creator HQ' ) ) {
			exit;
		}
	}

	/** A member passes a post that they read. @return bool Whether the hub answered. */
	public static function pass( \WP_Post $post ): bool {
		if ( ! self::may_pass( $post ) ) {
			return true;
		}
		$link = MemberPass::pass( $post->ID );
		if ( null !== $link && '' !== $link ) {
			self::$made = '' === (string) get_option( 'permalink_structure' ) ? add_query_arg( self::PATH, $link, home_url( '/' ) ) : home_url( '/' . self::PATH . '/' . $link . '/' );
		}
		return null !== $link;
	}

	/** What stands below an opened post in a page that no cache keeps. */
	public static function below( $content ) {
		$post = get_post();
		$is_page = is_string( $content ) && $post && Access::is_for_one() && is_singular() && in_the_loop() && is_main_query() && get_queried_object_id() === $post->ID && ! doing_filter( 'get_the_excerpt' );
		return $is_page ? $content . self::note( $post ) : $content;
	}

	/** For a member, the button; for a friend, whom they have it from. '' for others. */
	public static function note( \WP_Post $post ): string {
		if ( '' !== MemberPass::marker() ) {
			return '';
		}
		if ( '' !== self::$made ) {
			$says = self::made();
		} elseif ( self::may_pass( $post ) ) {
			$says = self::button( $post );
		} else {
			$says = self::of_friend( $post );
		}
		$says = self::of_late_payer( $post ) . $says;
		return '' === $says ? '' : '<div class="chq-pass" style="margin:1.5em 0">' . $says . '</div>';
	}

	/** That their payment failed, and where to pay. */
	private static function of_late_payer( \WP_Post $post ): string {
		$until = MemberPass::late_until();
		if ( 0 === $until || '' === Enter::join_at() ) {
			return '';
		}
		/* translators: %s: a day */
		$says = __( 'Your last payment didn’t go through. You read on until %s. If you paid since, this note goes within the hour.', 'creator-hq' );
		return '<div style="margin-bottom:1em"><p>' . esc_html( sprintf( $says, wp_date( get_option( 'date_format' ), $until ) ) ) . '</p>' . Enter::button( 'change', __( 'Pay now', 'creator-hq' ), $post ) . '</div>';
	}

	private static function button( \WP_Post $post ): string {
		$left = (int) MemberPass::to_pass();
		/* translators: %s: how many recipes can still be passed this month */
		$label = sprintf( __( 'Pass this recipe to a friend (%s left this month)', 'creator-hq' ), number_format_i18n( $left ) );
		return Wall::acting( Open::PASS, Open::has_failed() ? __( 'That did not work. Try again', 'creator-hq' ) : $label, $post, ' style="' . self::QUIET . '"' );
	}

	private static function made(): string {
		$id = wp_unique_id( 'chq-link-' );
		return '<p><label for="' . $id . '">' . esc_html__( 'Send this link to your friend. It opens this recipe for 48 hours.', 'creator-hq' ) . '</label></p>'
			. '<p><input id="' . $id . '" type="text" style="box-sizing:border-box;width:100%;min-height:44px" value="' . esc_attr( self::$made ) . '" readonly></p>'
			. '<p><button type="button" hidden class="wp-element-button" data-chq-share="' . esc_attr__( 'Link copied', 'creator-hq' ) . '">' . esc_html__( 'Send the link', 'creator-hq' ) . '</button></p>';
	}

	private static function of_friend( \WP_Post $post ): string {
		$until = MemberPass::opens( $post->ID ) && null === MemberPass::free() ? MemberPass::open_until( $post->ID ) : 0;
		if ( 0 === $until ) {
			return '';
		}
		$day = wp_date( get_option( 'date_format' ) . ', ' . get_option( 'time_format' ), $until );
		/* translators: %s: a day and time */
		return '<p>' . esc_html( sprintf( __( 'A friend passed you this recipe. It is open here until %s.', 'creator-hq' ), $day ) ) . '</p>' . Wall::join_button( $post );
	}

	/** What they read as a member, all of it. */
	private static function may_pass( \WP_Post $post ): bool {
		if ( 0 >= (int) MemberPass::to_pass() ) {
			return false;
		}
		$wanted = array_column( Lock::locked( Lock::text( get_post( $post->ID ) ) ), 0 );
		return array() !== $wanted && Cooking::is_of( $wanted, MemberPass::level() );
	}

	private static function is_ours( string $said, string $mac ): bool {
		foreach ( Store::signing_keys() as $key ) {
			if ( hash_equals( Store::mac( $key, array( 'passed recipe', $said ) ), $mac ) ) {
				return true;
			}
		}
		return false;
	}

	/** A page of its own, with a button to open the post, or a link to it. */
	private static function say( string $says, ?\WP_Post $post, bool $opens = false ) {
		$title  = $post ? get_the_title( $post ) : __( 'For members', 'creator-hq' );
		$button = $opens ? '<form method="post"><p><button type="submit" class="button button-large" style="min-height:44px">' . esc_html__( 'Open the recipe', 'creator-hq' ) . '</button></p></form>' : '';
		$link   = $post ? array( get_permalink( $post ), __( 'Go to the recipe', 'creator-hq' ) ) : array( home_url( '/' ), get_bloginfo( 'name' ) );
		wp_die(
			'<h1>' . esc_html( $title ) . '</h1><p>' . esc_html( $says ) . '</p>' . $button, // phpcs:ignore WordPress.Security.EscapeOutput -- Escaped above.
			esc_html( $title . ' – ' . get_bloginfo( 'name' ) ),
			array( 'response' => $opens ? 200 : 404 ) + ( $opens ? array() : array(
				'link_url'  => esc_url( $link[0] ),
				'link_text' => esc_html( $link[1] ),
			) )
		);
	}
}
