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
		return array(
			'name'         => $post->post_title,
			'anchor'       => 'tasty-recipes-' . $id,
			'groups'       => self::groups( (string) get_post_meta( $id, 'ingredients', true ) ),
			'totalMinutes' => self::minutes( (string) get_post_meta( $id, 'total_time', true ) ),
			'yield'        => (string) get_post_meta( $id, 'yield', true ),
		);
	}

	/** Lists below headings, or below lines in bold. */
	private static function groups( string $html ): array {
		preg_match_all( '/<(h[1-6]|p|li)\b[^>]*>(.*?)<\/\1>/si', $html, $parts, PREG_SET_ORDER );
		$groups = array( array( 'name' => '', 'lines' => array() ) );
		foreach ( $parts as list( , $tag, $text ) ) {
			if ( 'li' === strtolower( $tag ) ) {
				$groups[ count( $groups ) - 1 ]['lines'][] = array( 'text' => $text );
			} elseif ( 'p' !== strtolower( $tag ) || preg_match( '/^\s*<(strong|b)>.*<\/\1>:?\s*$/si', $text ) ) {
				$groups[] = array( 'name' => $text, 'lines' => array() );
			}
		}
		return $groups;
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
