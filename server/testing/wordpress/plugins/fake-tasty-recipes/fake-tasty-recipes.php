<?php
/**
 * Plugin Name: Fake Tasty Recipes
 * Version: 1.2.5
 *
 * The shapes that our plugin reads of Tasty Recipes: post type, meta, block, shortcode, container and filter.
 */

final class Tasty_Recipes {
}

final class Fake_Tasty_Recipe {
	private $post;

	public function __construct( $post ) {
		$this->post = $post;
	}

	public function get_id() {
		return $this->post->ID;
	}
}

add_action(
	'init',
	function () {
		register_post_type( 'tasty_recipe', array( 'public' => false ) );
		$card = function ( $attributes ) {
			$post = get_post( (int) ( $attributes['id'] ?? 0 ) );
			if ( ! $post || 'tasty_recipe' !== $post->post_type ) {
				return '';
			}
			$recipe = new Fake_Tasty_Recipe( $post );
			$output = '<div id="tasty-recipes-' . $post->ID . '" class="tasty-recipes tasty-recipes-' . $post->ID . '"><h2>' . esc_html( $post->post_title ) . '</h2>'
				. '<div class="tasty-recipes-ingredients-body">' . wp_kses_post( get_post_meta( $post->ID, 'ingredients', true ) ) . '</div></div>';
			return apply_filters( 'tasty_recipes_recipe_card_output', $output, 'frontend', compact( 'recipe' ) );
		};
		register_block_type( 'wp-tasty/tasty-recipe', array( 'render_callback' => $card, 'attributes' => array( 'id' => array( 'type' => 'number' ) ) ) );
		add_shortcode( 'tasty-recipe', $card );
	}
);
