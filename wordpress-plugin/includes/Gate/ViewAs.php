<?php
/**
 * How others see a post, for people who may edit it: as a stranger, a subscriber or a member. It never shows more than they may see.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Guard;

final class ViewAs {

	const PARAMETER = 'creator-hq-view';
	const STRANGER  = 'stranger';

	public static function hook() {
		add_action( 'wp_loaded', Guard::action( array( self::class, 'begin' ) ), 10 );
		add_action( 'admin_bar_menu', Guard::action( array( self::class, 'menu' ) ), 90 );
		add_action( 'wp_footer', Guard::action( array( self::class, 'bar' ) ) );
	}

	/** Whether this request looks with somebody else's eyes. */
	public static function is_on(): bool {
		return '' !== self::whom();
	}

	/** What those read up to, as locks name it. */
	public static function level( int $post ): string {
		return self::STRANGER === self::whom() || ! current_user_can( 'edit_post', $post ) ? '' : self::whom();
	}

	public static function begin() {
		if ( self::is_on() ) {
			Access::keep_out_of_caches();
		}
	}

	public static function menu( $bar ) {
		$post = is_singular() ? get_post( get_queried_object_id() ) : null;
		if ( ! $post || ! current_user_can( 'edit_post', $post->ID ) || ! Lock::is_locked( $post ) ) {
			return;
		}
		$bar->add_node(
			array(
				'id'    => self::PARAMETER,
				'title' => esc_html__( 'View as', 'creator-hq' ),
			)
		);
		foreach ( self::labels() as $who => $label ) {
			$bar->add_node(
				array(
					'parent' => self::PARAMETER,
					'id'     => self::PARAMETER . '-' . $who,
					'title'  => esc_html( $label ),
					'href'   => esc_url(
						add_query_arg(
							array(
								self::PARAMETER => $who,
								'_wpnonce'      => wp_create_nonce( self::PARAMETER ),
							),
							get_permalink( $post )
						)
					),
				)
			);
		}
	}

	/** As whom one looks, and the way back. */
	public static function bar() {
		if ( ! self::is_on() ) {
			return;
		}
		echo '<p class="chq-view" role="status" style="position:fixed;inset:auto 0 0;z-index:99999;margin:0;padding:.75em 1em;background:#1d2327;color:#fff;text-align:center">'
			/* translators: %s: Stranger, Subscriber or Member */
			. esc_html( sprintf( __( 'You see this page as: %s.', 'creator-hq' ), self::labels()[ self::whom() ] ) )
			. ' <a style="color:#fff" href="' . esc_url( remove_query_arg( array( self::PARAMETER, '_wpnonce' ) ) ) . '">' . esc_html__( 'Back to your own view', 'creator-hq' ) . '</a></p>';
	}

	/** '' for one's own eyes. */
	private static function whom(): string {
		$who   = wp_unslash( $_GET[ self::PARAMETER ] ?? '' );
		$nonce = wp_unslash( $_GET['_wpnonce'] ?? '' );
		if ( '' === $who || ! is_string( $who ) || ! is_string( $nonce ) || ! did_action( 'init' ) || ! is_user_logged_in() ) {
			return '';
		}
		return isset( self::labels()[ $who ] ) && wp_verify_nonce( $nonce, self::PARAMETER ) ? $who : '';
	}

	/** @return array<string, string> */
	private static function labels(): array {
		return array(
			self::STRANGER => __( 'Stranger', 'creator-hq' ),
			'subscribers'  => __( 'Subscriber', 'creator-hq' ),
			'members'      => __( 'Member', 'creator-hq' ),
		) + Tiers::audiences();
	}
}
