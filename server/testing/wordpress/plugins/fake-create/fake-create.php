<?php
/**
 * Plugin Name: Fake Create
 * Version: 2.0.0
 *
 * The shapes that our plugin reads of Create by Mediavine: shortcode, what it prints before a card's box, filter, and the function
 * that reads what is published of a card.
 */

namespace Mediavine\Create {
	final class Plugin {
	}
}

namespace {
	/** An option in place of its table. */
	function mv_create_get_creation( $id, $published = false ) {
		return json_decode( get_option( 'fake_create_' . (int) $id, '[]' ) );
	}

	add_shortcode(
		'mv_create',
		function ( $attributes ) {
			$creation = mv_create_get_creation( $attributes['key'] ?? 0, true );
			if ( ! is_object( $creation ) ) {
				return;
			}
			$output = '<script type="application/ld+json">{"@type":"Recipe","name":"Somebody’s card"}</script>'
				. '<section id="mv-creation-' . (int) $creation->id . '" class="mv-create-card" style="position: relative;"><div class="mv-create-wrapper"><h2>' . esc_html( $creation->title ) . '</h2></div></section>';
			foreach ( (array) ( $creation->products ?? array() ) as $product ) {
				$output .= '<a href="' . esc_url( $product->link ) . '">' . esc_html( $product->title ) . '</a>';
			}
			$attributes += array(
				'print'    => false,
				'creation' => (array) $creation,
			);
			return apply_filters( 'mv_create_card_render', $output, $attributes );
		}
	);
}
