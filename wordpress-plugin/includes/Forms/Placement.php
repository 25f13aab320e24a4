<?php
/**
 * Where forms stand: block, shortcodes, and by themselves at a recipe card or after the text.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

use CreatorHq\Cards\Cards;
use CreatorHq\Guard;
use CreatorHq\Settings;
use CreatorHq\Shop\Button;

final class Placement {

	/** While a post is read for the facts of its recipe. */
	private static $is_off = false;
	/** Posts in whose text a form stands already. */
	private static $done = array();

	public static function hook() {
		add_filter( 'the_content', Guard::filter( array( self::class, 'after_content' ) ), 20 );
		add_filter( 'wprm_recipe_shortcode_output', Guard::filter( array( self::class, 'in_wprm' ) ), 20, 2 );
		add_filter( 'tasty_recipes_recipe_card_output', Guard::filter( array( self::class, 'in_tasty' ) ), 20, 3 );
		add_filter( 'mv_create_card_render', Guard::filter( array( self::class, 'in_create' ) ), 20, 2 );
	}

	public static function form_shortcode( $attributes ): string {
		$attributes = shortcode_atts( array( 'id' => '' ), $attributes, 'creator_hq_form' );
		return self::printed( (string) $attributes['id'], null );
	}

	public static function save_shortcode(): string {
		return self::printed( '', null );
	}

	public static function form_block( $attributes ): string {
		return self::printed( (string) ( $attributes['form'] ?? '' ), null );
	}

	public static function after_content( $content ) {
		if ( ! self::is_automatic( 'after_content' ) || isset( self::$done[ get_the_ID() ] ) ) {
			return $content;
		}
		return $content . self::printed( Settings::places()['form'], null );
	}

	public static function in_wprm( $output, $recipe ) {
		$id = is_object( $recipe ) && method_exists( $recipe, 'id' ) ? (int) $recipe->id() : 0;
		return self::at_card( (string) $output, 'wprm-' . $id );
	}

	public static function in_tasty( $output, $context = '', $values = array() ) {
		$recipe = is_array( $values ) ? ( $values['recipe'] ?? null ) : null;
		$id     = is_object( $recipe ) && method_exists( $recipe, 'get_id' ) ? (int) $recipe->get_id() : 0;
		return self::at_card( (string) $output, 'tasty-' . $id );
	}

	public static function in_create( $output, $card = array() ) {
		$id = (int) ( $card['creation']['id'] ?? 0 );
		if ( 0 === $id || ! empty( $card['print'] ) || 'list' === ( $card['creation']['type'] ?? '' ) ) {
			return $output;
		}
		return self::at_card( (string) $output, 'create-' . $id, '/<section\b[^>]*\bid="mv-creation-' . $id . '"[^>]*>/' );
	}

	/** Runs something that prints a post, without forms in it. */
	public static function without_forms( callable $callback ) {
		self::$is_off = true;
		try {
			return $callback();
		} finally {
			self::$is_off = false;
		}
	}

	/** @param string $box Finds the tag of the card's box; Create prints JSON-LD before it. */
	private static function at_card( string $output, string $recipe, string $box = '/^\s*<[^>]+>/' ): string {
		if ( self::is_automatic( 'before_card' ) ) {
			$output = self::printed( Settings::places()['form'], $recipe ) . $output;
		} elseif ( self::is_automatic( 'in_card' ) ) {
			$form   = self::printed( Settings::places()['form'], $recipe );
			$output = preg_replace( $box, '$0' . addcslashes( $form, '\\$' ), $output, 1 );
		}
		return $output . Button::under_card( $recipe );
	}

	private static function is_automatic( string $place ): bool {
		$places = Settings::places();
		if ( $places['place'] !== $place || ! is_singular() || get_queried_object_id() !== get_the_ID() ) {
			return false;
		}
		return array() === $places['not_in'] || ! has_category( $places['not_in'], get_the_ID() );
	}

	/** @param string|null $recipe The card that is saved; null: the first one of the post. */
	private static function printed( string $key, ?string $recipe ): string {
		if ( ! self::is_for_readers() ) {
			return '';
		}
		$form = '' === $key ? Store::first_of_kind( 'save' ) : Store::find( $key );
		$post = get_post();
		if ( null === $form ) {
			return self::note_for_editors( $post );
		}
		if ( $post && post_password_required( $post ) ) {
			return '';
		}
		$id                = $post ? (int) $post->ID : 0;
		self::$done[ $id ] = true;
		return Printer::form( $form, $id, $recipe ?? ( $post ? Cards::first( $post->post_content ) : '' ) );
	}

	/** Not where a page is read by programs, printed or mailed. */
	public static function is_for_readers(): bool {
		return ! self::$is_off && ! is_admin() && ! is_feed() && ! is_embed() && ! doing_filter( 'get_the_excerpt' ) && ! doing_action( 'wp_head' )
			&& ! ( defined( 'REST_REQUEST' ) && REST_REQUEST )
			&& ! wp_doing_cron() && ! get_query_var( 'wprm_print' )
			&& ! ( function_exists( 'amp_is_request' ) && amp_is_request() );
	}

	private static function note_for_editors( ?\WP_Post $post ): string {
		if ( ! $post || ! current_user_can( 'edit_post', $post->ID ) ) {
			return '';
		}
		$text = Settings::is_connected()
			? __( 'Creator HQ: this form is gone. Choose another one. Readers see nothing here.', 'creator-hq' )
			: __( 'Creator HQ: connect your blog under Settings, Creator HQ. Readers see nothing here.', 'creator-hq' );
		return '<p><strong>' . esc_html( $text ) . '</strong></p>';
	}
}
