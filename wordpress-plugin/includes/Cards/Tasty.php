<?php
/**
 * Cards of Tasty Recipes, which keeps a recipe as a post with its parts as HTML.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

final class Tasty {

	public static function facts( int $id ): ?array {
		$post = get_post( $id );
		if ( ! $post || 'tasty_recipe' !== $post->post_type ) {
			return null;
		}
		preg_match_all( '/<li\b[^>]*>(.*?)<\/li>/si', (string) get_post_meta( $id, 'ingredients', true ), $lines );
		return array(
			'name'         => $post->post_title,
			'anchor'       => 'tasty-recipes-' . $id,
			'ingredients'  => $lines[1],
			'totalMinutes' => self::minutes( (string) get_post_meta( $id, 'total_time', true ) ),
			'yield'        => (string) get_post_meta( $id, 'yield', true ),
		);
	}

	/** '1 hour 10 minutes', as people type it. */
	private static function minutes( string $text ): int {
		$minutes = 0;
		foreach ( array( 1440 => 'd', 60 => 'h', 1 => 'm' ) as $each => $unit ) {
			if ( preg_match( '/(\d+)\s*' . $unit . '/i', $text, $found ) ) {
				$minutes += (int) $found[1] * $each;
			}
		}
		return $minutes;
	}
}
