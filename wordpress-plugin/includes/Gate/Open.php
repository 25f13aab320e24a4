<?php
/**
 * The ways to what is locked, for a browser with a pass: fetched into the page by the script, or, without script, the page
 * itself as the answer to a POST, which no cache keeps; and links of mails, which become a cookie.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Cards\Cards;
use CreatorHq\Guard;
use CreatorHq\Rest;

final class Open {

	/** Of the form without script: 1, or what to do first. */
	const FIELD = 'creator-hq-open';
	const POST  = 'creator-hq-post';
	/** A reader who does not pay opens this post. */
	const FREE = 'free';
	/** A member passes it to a friend. */
	const PASS = 'pass';
	const AJAX  = 'creator_hq_open';

	private static $has_failed = false;

	public static function hook() {
		add_action( 'rest_api_init', Guard::action( array( self::class, 'route' ) ) );
		foreach ( array( 'wp_ajax_', 'wp_ajax_nopriv_' ) as $hook ) {
			add_action( $hook . self::AJAX, Guard::action( array( self::class, 'anyone_with_a_pass_by_ajax' ) ) );
		}
		add_action( 'wp_loaded', Guard::action( array( self::class, 'pages' ) ), 11 );
	}

	public static function route() {
		register_rest_route(
			Rest::SPACE,
			'/open',
			array(
				'methods'             => 'POST',
				'callback'            => array( self::class, 'rest' ),
				'permission_callback' => array( self::class, 'anyone_with_a_pass' ),
			)
		);
	}

	/** `answer` looks at the pass before anything else. */
	public static function anyone_with_a_pass(): bool {
		return true;
	}

	public static function rest( \WP_REST_Request $request ) {
		$fields = $request->get_json_params();
		try {
			list( $status, $body ) = self::answer( is_array( $fields ) ? $fields : array() );
		} catch ( \Throwable $error ) {
			Guard::log( $error );
			return new \WP_Error( 'creator_hq_failed', __( 'Sorry, that did not work. Please try again later.', 'creator-hq' ), array( 'status' => 500 ) );
		}
		$response = new \WP_REST_Response( $body, $status );
		$response->header( 'Cache-Control', 'private, no-store' );
		return $response;
	}

	/** Where something in between keeps /wp-json shut. */
	public static function anyone_with_a_pass_by_ajax() {
		// phpcs:ignore WordPress.Security.NonceVerification -- It changes nothing; what it shows needs a pass.
		list( $status, $body ) = self::answer( wp_unslash( $_POST ) );
		header( 'Cache-Control: private, no-store' );
		wp_send_json( $body, $status );
	}

	public static function pages() {
		// phpcs:disable WordPress.Security.NonceVerification -- They change nothing; what they show needs a pass.
		$is_post = 'POST' === ( $_SERVER['REQUEST_METHOD'] ?? '' );
		if ( $is_post && isset( $_POST[ self::FIELD ] ) ) {
			$post = is_numeric( $_POST[ self::POST ] ?? null ) ? get_post( (int) $_POST[ self::POST ] ) : null;
			if ( $post && is_post_publicly_viewable( $post ) ) {
				self::act( wp_unslash( $_POST[ self::FIELD ] ), $post );
			}
			Access::open( self::level( Lock::WHO, '' ) );
			Access::open_posts();
			if ( Access::is_something_open() ) {
				Access::keep_out_of_caches();
			}
		}
		$of_link = wp_unslash( $_GET[ Pass::PARAMETER ] ?? '' );
		// phpcs:enable
		if ( ! $is_post && is_string( $of_link ) && '' !== $of_link && ! wp_doing_ajax() && ! is_admin() ) {
			Pass::opens( $of_link );
			nocache_headers();
			// Without it in the address, so that no other site learns of it.
			if ( wp_safe_redirect( remove_query_arg( Pass::PARAMETER ) ) ) {
				exit;
			}
		}
	}

	/** Whether the hub could not be asked in this request. */
	public static function has_failed(): bool {
		return self::$has_failed;
	}

	private static function act( $what, \WP_Post $post ) {
		if ( self::FREE === $what ) {
			self::open_for_free( $post );
		} elseif ( self::PASS === $what ) {
			self::$has_failed = ! Passing::pass( $post );
		}
	}

	private static function open_for_free( \WP_Post $post ) {
		if ( ! Access::is_open_by_itself( $post->ID ) && Wall::is_free_to_open( $post ) && MemberPass::free()[0] > 0 ) {
			self::$has_failed = ! MemberPass::open_for_free( $post->ID );
		}
	}

	/** A locked part as the page would have it. */
	public static function rendered( string $text, \WP_Post $post ): string {
		$before          = $GLOBALS['post'] ?? null;
		$GLOBALS['post'] = $post; // phpcs:ignore -- As WordPress does it; put back below.
		setup_postdata( $post );
		try {
			$text  = str_replace( '<!--nextpage-->', '', $text );
			// WP Recipe Maker does it in `the_content`.
			$text  = (string) preg_replace( Cards::WPRM_HTML, '[wprm-recipe id="$1"]', $text );
			$embed = $GLOBALS['wp_embed'];
			// As `the_content` does it, without what other plugins add to the end of a post.
			$html = $embed->autoembed( $embed->run_shortcode( $text ) );
			$html = has_blocks( $html ) ? do_blocks( $html ) : wpautop( $html );
			return do_shortcode( shortcode_unautop( wp_filter_content_tags( convert_smilies( wptexturize( $html ) ) ) ) );
		} finally {
			$GLOBALS['post'] = $before; // phpcs:ignore
			wp_reset_postdata();
		}
	}

	/**
	 * What this browser has a pass to read up to.
	 *
	 * @param string[] $wanted For whom something is locked.
	 */
	private static function level( array $wanted, string $of_link ): string {
		$level = MemberPass::level();
		return '' === $level && in_array( 'subscribers', $wanted, true ) && Pass::opens( $of_link ) ? 'subscribers' : $level;
	}

	/**
	 * @return array{0: int, 1: array} A status, and `result` 'open' with `parts` (by number; null: stays locked) and `head`, or
	 *   'locked' with a message; `walls`: for whom something stays locked, what their wall says now; `says`: of what was done;
	 *   `note`: what stands below what opened.
	 */
	private static function answer( array $fields ): array {
		$id   = is_numeric( $fields['post'] ?? null ) ? (int) $fields['post'] : 0;
		$pass = $fields['pass'] ?? '';
		$post = get_post( $id );
		if ( ! $post || '' !== $post->post_password || ! is_post_publicly_viewable( $post ) ) {
			return self::locked( 404, __( 'This page is not public yet.', 'creator-hq' ) );
		}
		$act = $fields['act'] ?? '';
		self::act( $act, $post );
		if ( self::PASS === $act && '' !== Passing::note( $post ) ) {
			return self::open( array( 'note' => Passing::note( $post ) ) );
		}
		$says = self::FREE === $act && MemberPass::opens( $id ) ? Wall::opened_for_free() : '';
		$locked = Lock::locked( Lock::text( $post ) );
		$wanted = array_column( $locked, 0 );
		$level  = self::level( $wanted, is_string( $pass ) ? $pass : '' );
		if ( Cooking::is_of( $wanted, $level ) ) {
			Cooking::begin( $id );
		} elseif ( Access::is_open_by_itself( $id ) ) {
			Access::open_posts();
		}
		$marker = MemberPass::marker();
		return Access::opened(
			function () use ( $post, $locked, $wanted, $marker, $says ) {
				$walls = Wall::of_readers( $wanted, $post );
				$opens = function ( $who ) use ( $post ) {
					return Access::opens( $who, $post->ID );
				};
				if ( array() === array_filter( $wanted, $opens ) ) {
					return self::locked( 403, in_array( 'subscribers', $wanted, true ) ? __( 'Sign up to read on.', 'creator-hq' ) : __( 'This part is only for members.', 'creator-hq' ), $walls );
				}
				$asked = array( wp_styles()->queue, wp_scripts()->queue );
				$parts = array();
				$cards = '';
				foreach ( $locked as list( $who, $text ) ) {
					// What stays closed is not rendered: it would ask for scripts that say something of it.
					if ( ! $opens( $who ) ) {
						$parts[] = null;
						continue;
					}
					$parts[] = '' === $marker ? self::rendered( $text, $post ) : '<p>' . $marker . '</p>';
					$cards  .= '' === $marker ? $text : '';
				}
				return self::open(
					array(
						'parts' => $parts,
						'walls' => $walls,
						'says'  => $says,
						'note'  => Passing::note( $post ),
						'head'  => self::assets( array_diff( wp_styles()->queue, $asked[0] ), array_diff( wp_scripts()->queue, $asked[1] ) ) . self::data_of_cards( $cards ),
					)
				);
			},
			$level
		);
	}

	/** Styles and scripts that the parts asked for. */
	private static function assets( array $styles, array $scripts ): string {
		ob_start();
		if ( array() !== $styles ) {
			wp_print_styles( array_values( $styles ) );
		}
		if ( array() !== $scripts ) {
			wp_print_scripts( array_values( $scripts ) );
		}
		return (string) ob_get_clean();
	}

	/** What WP Recipe Maker's script reads of its cards, and the foot of a page has else [C: `WPRM_Recipe_Manager`, since 8.10]. */
	private static function data_of_cards( string $text ): string {
		preg_match_all( Cards::PATTERNS['wprm'], $text, $found, PREG_SET_ORDER );
		if ( array() === $found || ! is_callable( array( 'WPRM_Recipe_Manager', 'recipe_data_in_footer' ) ) ) {
			return '';
		}
		ob_start();
		\WPRM_Recipe_Manager::recipe_data_in_footer(
			array_map(
				function ( $card ) {
					return (int) end( $card );
				},
				$found
			)
		);
		return (string) ob_get_clean();
	}

	private static function open( array $body ): array {
		return array( 200, array( 'result' => 'open' ) + $body + array_fill_keys( array( 'parts', 'walls' ), array() ) + array_fill_keys( array( 'says', 'head' ), '' ) );
	}

	private static function locked( int $status, string $message, array $walls = array() ): array {
		return array(
			$status,
			array(
				'result'  => 'locked',
				'message' => $message,
				'walls'   => $walls,
			),
		);
	}
}
