<?php
/**
 * Any other card: nearly all of them print schema.org's Recipe as JSON-LD, for search engines.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

use CreatorHq\Forms\Placement;
use CreatorHq\Gate\Access;

final class JsonLd {

	const MAX_DEPTH = 6;

	public static function facts( \WP_Post $post ): ?array {
		// A mail goes to whoever typed an address.
		$html = Access::shown( $post->post_content, $post->ID );
		if ( false === strpos( $html, 'application/ld+json' ) ) {
			$html = self::rendered( $post );
		}
		preg_match_all( '/<script[^>]+application\/ld\+json[^>]*>(.*?)<\/script>/si', $html, $blocks );
		foreach ( $blocks[1] as $block ) {
			$recipe = self::recipe_in( json_decode( trim( $block ), true ), 0 );
			if ( null !== $recipe ) {
				return self::read( $recipe );
			}
		}
		return null;
	}

	private static function rendered( \WP_Post $post ): string {
		$before          = $GLOBALS['post'] ?? null;
		$GLOBALS['post'] = $post; // phpcs:ignore -- As WordPress does it; put back below.
		setup_postdata( $post );
		try {
			return Placement::without_forms(
				function () use ( $post ) {
					return (string) apply_filters( 'the_content', $post->post_content );
				}
			);
		} finally {
			$GLOBALS['post'] = $before; // phpcs:ignore
			wp_reset_postdata();
		}
	}

	/** A Recipe in lists and @graph, with its type as a word or among others. */
	private static function recipe_in( $node, int $depth ): ?array {
		if ( ! is_array( $node ) || $depth > self::MAX_DEPTH ) {
			return null;
		}
		if ( in_array( 'Recipe', (array) ( $node['@type'] ?? array() ), true ) ) {
			return $node;
		}
		foreach ( $node as $child ) {
			$found = self::recipe_in( $child, $depth + 1 );
			if ( null !== $found ) {
				return $found;
			}
		}
		return null;
	}

	private static function read( array $recipe ): array {
		$yield = $recipe['recipeYield'] ?? '';
		$yield = is_array( $yield ) ? end( $yield ) : $yield;
		return array(
			'name'         => is_string( $recipe['name'] ?? null ) ? $recipe['name'] : '',
			'anchor'       => null,
			'groups'       => array( array( 'name' => '', 'lines' => self::lines( $recipe['recipeIngredient'] ?? array() ) ) ),
			'totalMinutes' => self::minutes( $recipe['totalTime'] ?? '' ),
			'yield'        => is_scalar( $yield ) ? (string) $yield : '',
		);
	}

	private static function lines( $texts ): array {
		return array_map(
			function ( $text ) {
				return array( 'text' => $text );
			},
			array_values( array_filter( (array) $texts, 'is_string' ) )
		);
	}

	/** 'PT1H10M' */
	private static function minutes( $duration ): int {
		if ( ! is_string( $duration ) || ! preg_match( '/^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+(?:\.\d+)?S)?)?$/', $duration, $found ) ) {
			return 0;
		}
		return (int) ( $found[1] ?? 0 ) * 1440 + (int) ( $found[2] ?? 0 ) * 60 + (int) ( $found[3] ?? 0 );
	}
}
