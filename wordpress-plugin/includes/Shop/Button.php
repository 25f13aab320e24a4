<?php
/**
 * The button that leads to a recipe's shopping list: under its card, by block and by shortcode. Plain HTML from what the post keeps.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Shop;

use CreatorHq\Cards\Cards;
use CreatorHq\Forms\Placement;
use CreatorHq\Gate\Access;
use CreatorHq\Gate\Lock;
use CreatorHq\Gate\LockedCards;
use CreatorHq\Guard;
use CreatorHq\Settings;

final class Button {

	/** Themes draw links in many ways: white on dark green is readable in all of them. */
	const STYLE = 'display:inline-block;box-sizing:border-box;min-height:44px;padding:10px 20px;border-radius:8px;background:#14532d;color:#fff;font-weight:600;line-height:24px;text-decoration:none';

	public static function init() {
		add_shortcode( 'creator_hq_shop', Guard::shown( array( self::class, 'by_hand' ) ) );
		wp_register_script(
			'creator-hq-block-shop',
			plugins_url( 'blocks/shop/editor.js', CREATOR_HQ_FILE ),
			array( 'wp-blocks', 'wp-element', 'wp-components', 'wp-block-editor', 'wp-i18n' ),
			CREATOR_HQ_VERSION,
			true
		);
		wp_set_script_translations( 'creator-hq-block-shop', 'creator-hq', dirname( CREATOR_HQ_FILE ) . '/languages' );
		register_block_type(
			dirname( CREATOR_HQ_FILE ) . '/blocks/shop',
			array( 'render_callback' => Guard::shown( array( self::class, 'by_hand' ) ) )
		);
	}

	/** @param string $recipe The card, as `Cards` names it: of a round-up only the post's own one has the list. */
	public static function under_card( string $recipe ): string {
		$post = get_post();
		if ( ! $post || ! Settings::places()['shop'] || ! is_singular() || get_queried_object_id() !== (int) $post->ID ) {
			return '';
		}
		return self::own_card( $post ) === $recipe ? self::printed( $post ) : '';
	}

	public static function by_hand(): string {
		$post    = get_post();
		$printed = $post ? self::printed( $post ) : '';
		if ( '' !== $printed || ! $post || ! Placement::is_for_readers() || ! current_user_can( 'edit_post', $post->ID ) ) {
			return $printed;
		}
		return '<p><strong>' . esc_html__( 'Creator HQ: this recipe has no shopping list yet. Readers see nothing here.', 'creator-hq' ) . '</strong></p>';
	}

	private static function printed( \WP_Post $post ): string {
		$url = Placement::is_for_readers() && ! post_password_required( $post ) ? Lists::of( (int) $post->ID ) : '';
		// A list says what its card says.
		$is_locked = ! Access::opens( LockedCards::who( self::own_card( $post ), self::whole( $post ) ), (int) $post->ID ) && ! Access::may_edit( (int) $post->ID );
		if ( '' === $url || $is_locked ) {
			return '';
		}
		return sprintf(
			'<p class="creator-hq-shop"><a href="%s" rel="nofollow" style="%s">%s</a></p>',
			esc_url( $url ),
			esc_attr( self::STYLE ),
			esc_html__( 'Shop ingredients', 'creator-hq' )
		);
	}

	private static function own_card( \WP_Post $post ): string {
		return Cards::first( self::whole( $post ) );
	}

	/** The text of a post that is drawn has no locked parts. */
	private static function whole( \WP_Post $post ): string {
		$kept = get_post( (int) $post->ID );
		return $kept ? Lock::text( $kept ) : '';
	}
}
