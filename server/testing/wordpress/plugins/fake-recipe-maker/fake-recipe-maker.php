<?php
/**
 * Plugin Name: Fake WP Recipe Maker
 * Version: 10.8.0
 *
 * The shapes that our plugin reads of WP Recipe Maker: post type, meta, class, block, container and filter; and how a card works in a
 * browser: its script and style are asked for when a card is drawn, and read the recipe from what the foot of the page prints [C].
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

	public function get_data_frontend() {
		return array(
			'servings'    => (int) $this->servings(),
			'ingredients' => array_merge( array(), ...array_column( $this->ingredients(), 'ingredients' ) ),
		);
	}
}

class WPRM_Recipe_Manager {
	public static function get_recipe( $id ) {
		$post = get_post( $id );
		return $post && 'wprm_recipe' === $post->post_type ? new WPRM_Recipe( $post ) : false;
	}

	public static function recipe_data_in_footer( $recipe_ids = array() ) {
		$data = array();
		foreach ( apply_filters( 'wprm_recipes_on_page', is_array( $recipe_ids ) ? $recipe_ids : array() ) as $id ) {
			$data[ 'recipe-' . $id ] = self::get_recipe( $id )->get_data_frontend();
		}
		if ( $data ) {
			echo '<script>window.wprm_recipes = ' . wp_json_encode( $data ) . '</script>';
		}
	}
}
add_action( 'wp_footer', array( 'WPRM_Recipe_Manager', 'recipe_data_in_footer' ) );

add_action(
	'init',
	function () {
		register_post_type( 'wprm_recipe', array( 'public' => false ) );
		$card = function ( $attributes ) {
			$recipe = WPRM_Recipe_Manager::get_recipe( (int) ( $attributes['id'] ?? 0 ) );
			if ( ! $recipe ) {
				return '';
			}
			wp_register_style( 'wprm-public', false, array(), '10.8.0' );
			wp_enqueue_style( 'wprm-public' );
			wp_add_inline_style( 'wprm-public', 'div[data-recipe-id] { border: 4px solid rgb(200, 30, 90); padding: 16px; } div[data-recipe-id] h2 { color: rgb(200, 30, 90); }' );
			wp_enqueue_script( 'wprm-public', plugins_url( 'public.js', __FILE__ ), array(), '10.8.0', true );
			add_filter( 'wprm_recipes_on_page', fn( $ids ) => array_merge( $ids, array( $recipe->id() ) ) );
			$output = '<div id="wprm-recipe-container-' . $recipe->id() . '" class="wprm-recipe-container" data-recipe-id="' . $recipe->id() . '"><h2>' . esc_html( $recipe->name() ) . '</h2><ul>';
			foreach ( $recipe->ingredients() as $group ) {
				foreach ( $group['ingredients'] as $line ) {
					$output .= '<li class="wprm-recipe-ingredient">' . esc_html( $line['amount'] . ' ' . $line['unit'] . ' ' . $line['name'] ) . '</li>';
				}
			}
			return apply_filters( 'wprm_recipe_shortcode_output', $output . '</ul><p><span class="wprm-recipe-servings">' . esc_html( $recipe->servings() ) . '</span> <button class="wprm-unit-conversion">Metric</button> <a class="wprm-recipe-print" href="' . esc_url( home_url( '/?wprm_print=' . $recipe->id() ) ) . '">Print</a></p></div>', $recipe, 'single', false );
		};
		register_block_type( 'wp-recipe-maker/recipe', array( 'render_callback' => $card, 'attributes' => array( 'id' => array( 'type' => 'number' ) ) ) );
		add_shortcode( 'wprm-recipe', $card );
	}
);
