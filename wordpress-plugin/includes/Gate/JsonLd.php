<?php
/**
 * What search engines read about a locked post: of a recipe its name, picture, times, yield and rating, and that it is not
 * open to all. https://developers.google.com/search/docs/appearance/structured-data/paywalled-content
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Settings;

final class JsonLd {

	const SCRIPT = '/<script\b[^>]*application\/ld\+json[^>]*>(.*?)<\/script>/si';

	const KEPT_OF_RECIPE = array( '@context', '@type', '@id', 'name', 'image', 'url', 'author', 'datePublished', 'dateModified', 'prepTime', 'cookTime', 'totalTime', 'recipeYield', 'recipeCategory', 'recipeCuisine', 'aggregateRating', 'isPartOf', 'mainEntityOfPage', 'inLanguage' );
	/** Texts that may be the post's own. */
	const GONE_ELSEWHERE = array( 'articleBody', 'text', 'reviewBody', 'step', 'acceptedAnswer' );
	const MAX_DEPTH      = 12;

	/** Every such script of the page of a post; one that cannot be read goes. */
	public static function stripped( string $html, \WP_Post $post ): string {
		return (string) preg_replace_callback(
			self::SCRIPT,
			function ( $found ) use ( $post ) {
				$data = json_decode( trim( $found[1] ), true );
				return is_array( $data ) ? str_replace( $found[1], self::encoded( self::node( $data, 0, $post ) ), $found[0] ) : '';
			},
			$html
		);
	}

	/** Cards print theirs with themselves: it stands at the wall instead. Nothing else is rendered: some blocks leave words in the foot of the page. */
	public static function of_locked( int $part, \WP_Post $post ): string {
		$cards  = implode( "\n\n", Lock::cards( Lock::locked( Lock::text( get_post( $post->ID ) ) )[ $part ][1] ?? '' ) );
		$render = function () use ( $cards, $post ) {
			return '' === $cards ? '' : Open::rendered( $cards, $post );
		};
		// While it is not open cards give nothing away, see LockedCards.
		preg_match_all( self::SCRIPT, Settings::gate()['keep_for_search'] ? Access::opened( $render ) : $render(), $scripts );
		$printed = '';
		foreach ( $scripts[1] as $script ) {
			$recipe = self::recipe_in( json_decode( trim( $script ), true ), 0 );
			if ( null !== $recipe ) {
				$recipe  += array( '@context' => 'https://schema.org' );
				$printed .= '<script type="application/ld+json">' . self::encoded( self::node( $recipe, 0, $post ) ) . '</script>';
			}
		}
		return $printed;
	}

	private static function node( array $node, int $depth, \WP_Post $post ): array {
		if ( $depth > self::MAX_DEPTH ) {
			return array();
		}
		$types = (array) ( $node['@type'] ?? array() );
		if ( in_array( 'Recipe', $types, true ) ) {
			if ( ! Settings::gate()['keep_for_search'] ) {
				$node = array_intersect_key( $node, array_flip( self::KEPT_OF_RECIPE ) );
			}
			return $node + self::locked();
		}
		$node = array_diff_key( $node, array_flip( self::GONE_ELSEWHERE ) );
		foreach ( $node as $name => $child ) {
			if ( is_array( $child ) ) {
				$node[ $name ] = self::node( $child, $depth + 1, $post );
			} elseif ( 'description' === $name && Page::quotes_locked( (string) $child, $post ) ) {
				unset( $node[ $name ] );
			}
		}
		return array() === array_intersect( $types, array( 'Article', 'BlogPosting', 'NewsArticle' ) ) ? $node : $node + self::locked();
	}

	private static function locked(): array {
		return array(
			'isAccessibleForFree' => false,
			'hasPart'             => array(
				'@type'               => 'WebPageElement',
				'isAccessibleForFree' => false,
				'cssSelector'         => Wall::SELECTOR,
			),
		);
	}

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

	private static function encoded( array $data ): string {
		return (string) wp_json_encode( $data, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_HEX_TAG );
	}
}
