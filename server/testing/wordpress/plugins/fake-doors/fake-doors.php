<?php
/**
 * Plugin Name: Fake doors
 *
 * Ways that other plugins take a post's text out: cards in REST, print pages and scripts, JSON-LD in the head, descriptions for
 * social media, AMP, lists that load more, and texts that somebody reads past every filter of `the_content`.
 */

add_filter(
	'register_post_type_args',
	function ( $args, $type ) {
		return 'wprm_recipe' === $type ? array_merge( $args, array( 'show_in_rest' => true, 'supports' => array( 'title', 'editor', 'custom-fields' ) ) ) : $args;
	},
	10,
	2
);

function fake_doors_recipe( $id ) {
	$meta = get_post_custom( $id );
	return array(
		'name'         => get_the_title( $id ),
		'ingredients'  => WPRM_Recipe_Manager::get_recipe( $id )->ingredients(),
		'instructions' => get_post_meta( $id, 'wprm_instructions', true ),
		'notes'        => $meta['wprm_notes'][0] ?? '',
	);
}

/** Cards of a post, from the post itself. */
function fake_doors_cards( $id ) {
	preg_match_all( '/wprm-recipe id="(\d+)"/', get_post( $id )->post_content, $found );
	return $found[1];
}

function fake_doors_json_ld( $id ) {
	$recipe = fake_doors_recipe( $id );
	// Past every filter, as from a copy of its own.
	$kept = get_option( 'fake_doors', array() )[ $id ] ?? '';
	return array(
		'@context'           => 'https://schema.org',
		'@type'              => 'Recipe',
		'name'               => $recipe['name'],
		'image'              => array( 'https://blog.test/cake.jpg' ),
		'totalTime'          => 'PT45M',
		'recipeYield'        => '4',
		'description'        => $kept . 'description',
		'recipeIngredient'   => array( $kept . 'ingredient' ),
		'recipeInstructions' => array( array( '@type' => 'HowToStep', 'text' => $kept . 'step' ) ),
	);
}

add_action(
	'rest_api_init',
	function () {
		register_rest_field( 'wprm_recipe', 'recipe', array( 'get_callback' => function ( $post ) { return fake_doors_recipe( $post['id'] ); } ) );
	}
);
add_action(
	'wp_head',
	function () {
		if ( ! is_singular() ) {
			return;
		}
		$fresh = get_post( get_queried_object_id() );
		echo '<meta property="og:description" content="' . esc_attr( wp_trim_words( strip_shortcodes( wp_strip_all_tags( get_post()->post_content ) ), 60 ) ) . '" />';
		echo '<meta name="twitter:description" content="' . esc_attr( wp_trim_words( wp_strip_all_tags( $fresh->post_content ), 60 ) ) . '" />';
		$article = array( '@type' => 'Article', 'headline' => $fresh->post_title, 'articleBody' => wp_strip_all_tags( $fresh->post_content ), 'description' => wp_trim_words( wp_strip_all_tags( $fresh->post_content ), 60 ) );
		$page    = array( '@type' => 'WebPage', 'description' => wp_trim_words( strip_shortcodes( wp_strip_all_tags( get_post()->post_content ) ), 60 ) );
		echo '<script type="application/ld+json">' . wp_json_encode( array( '@graph' => array( $article, $page ) ) ) . '</script>';
		foreach ( fake_doors_cards( $fresh->ID ) as $id ) {
			echo '<script type="application/ld+json">' . wp_json_encode( fake_doors_json_ld( $id ) ) . '</script>';
		}
	}
);
add_action(
	'wp_footer',
	function () {
		foreach ( is_singular() ? fake_doors_cards( get_queried_object_id() ) : array() as $id ) {
			echo '<script>window.wprm_recipes = ' . wp_json_encode( fake_doors_recipe( $id ) ) . '</script>';
		}
	}
);
add_action(
	'template_redirect',
	function () {
		if ( isset( $_GET['wprm_print'] ) ) {
			echo wp_json_encode( fake_doors_recipe( (int) $_GET['wprm_print'] ) );
			echo do_shortcode( '[wprm-recipe id="' . (int) $_GET['wprm_print'] . '"]' );
			exit;
		}
		if ( isset( $_GET['amp'] ) || isset( $_GET['print'] ) ) {
			$post = get_post( get_queried_object_id() );
			echo apply_filters( 'the_content', $post->post_content );
			exit;
		}
	}
);
foreach ( array( 'wp_ajax_more', 'wp_ajax_nopriv_more' ) as $fake_doors_hook ) {
	add_action(
		$fake_doors_hook,
		function () {
			$query = new WP_Query( array( 'name' => $_REQUEST['name'], 'post_type' => 'post' ) );
			while ( $query->have_posts() ) {
				$query->the_post();
				the_content();
				the_excerpt();
				echo get_the_content() . $GLOBALS['post']->post_content;
			}
			exit;
		}
	);
}
