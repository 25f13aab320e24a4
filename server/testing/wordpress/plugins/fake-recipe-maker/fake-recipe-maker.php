<?php
/**
 * Plugin Name: Fake WP Recipe Maker
 * Version: 10.8.0
 *
 * The shapes that our plugin reads of WP Recipe Maker: post type, meta, class, block, container and filter.
 */

class WPRM_Recipe {
	private $post;

	public function __construct( $post ) {
		$this->post = $post;
	}

	public function id() {
		return $this->post->ID;
	}

	public function name() {
		return $this->post->post_title;
	}

	public function ingredients() {
		return array_filter( (array) get_post_meta( $this->post->ID, 'wprm_ingredients', true ), 'is_array' );
	}

	public function total_time() {
		return get_post_meta( $this->post->ID, 'wprm_total_time', true );
	}

	public function servings() {
		return get_post_meta( $this->post->ID, 'wprm_servings', true );
	}

	public function servings_unit() {
		return get_post_meta( $this->post->ID, 'wprm_servings_unit', true );
	}
}

class WPRM_Recipe_Manager {
	public static function get_recipe( $id ) {
		$post = get_post( $id );
		return $post && 'wprm_recipe' === $post->post_type ? new WPRM_Recipe( $post ) : false;
	}
}

add_action(
	'init',
	function () {
		register_post_type( 'wprm_recipe', array( 'public' => false ) );
		$card = function ( $attributes ) {
			$recipe = WPRM_Recipe_Manager::get_recipe( (int) ( $attributes['id'] ?? 0 ) );
			if ( ! $recipe ) {
				return '';
			}
			$output = '<div id="wprm-recipe-container-' . $recipe->id() . '" class="wprm-recipe-container" data-recipe-id="' . $recipe->id() . '"><h2>' . esc_html( $recipe->name() ) . '</h2><ul>';
			foreach ( $recipe->ingredients() as $group ) {
				foreach ( $group['ingredients'] as $line ) {
					$output .= '<li class="wprm-recipe-ingredient">' . esc_html( $line['amount'] . ' ' . $line['unit'] . ' ' . $line['name'] ) . '</li>';
				}
			}
			return apply_filters( 'wprm_recipe_shortcode_output', $output . '</ul></div>', $recipe, 'single', false );
		};
		register_block_type( 'wp-recipe-maker/recipe', array( 'render_callback' => $card, 'attributes' => array( 'id' => array( 'type' => 'number' ) ) ) );
		add_shortcode( 'wprm-recipe', $card );
	}
);
