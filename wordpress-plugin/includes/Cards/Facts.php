<?php
/**
 * What a page says about itself, read here and bounded as the hub takes it.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

use CreatorHq\Gate\Lock;
use CreatorHq\Gate\LockedCards;

final class Facts {

	const MAX_INGREDIENTS = 200;

	public static function of( int $id, string $recipe ): array {
		$post = $id ? get_post( $id ) : null;
		if ( ! $post ) {
			return array(
				'url'        => home_url( '/' ),
				'title'      => self::text( get_bloginfo( 'name' ), 500 ),
				'pictureUrl' => null,
				'recipe'     => null,
			);
		}
		$picture = get_the_post_thumbnail_url( $post, 'large' );
		$facts   = Cards::facts( $recipe, $post );
		if ( null !== $facts && LockedCards::has( $recipe, $post->post_content ) ) {
			// A mail goes to whoever typed an address.
			$facts['ingredients'] = array();
		}
		$page    = array(
			'url'        => (string) get_permalink( $post ),
			'title'      => self::text( $post->post_title, 500 ),
			'pictureUrl' => $picture && strlen( $picture ) <= 2000 ? $picture : null,
			'recipe'     => null === $facts ? null : array(
				'name'         => self::text( '' === (string) $facts['name'] ? $post->post_title : $facts['name'], 500 ),
				'anchor'       => $facts['anchor'],
				'ingredients'  => array_slice( self::lines( $facts['ingredients'] ), 0, self::MAX_INGREDIENTS ),
				'totalMinutes' => $facts['totalMinutes'] > 0 ? min( (int) $facts['totalMinutes'], 100000 ) : null,
				'yield'        => '' === self::text( (string) $facts['yield'], 200 ) ? null : self::text( (string) $facts['yield'], 200 ),
			),
		);
		// Its link in a mail opens it for subscribers; what is locked itself is not read here.
		return Lock::is_in( $post->post_content ) ? $page + array( 'isLocked' => true ) : $page;
	}

	/** Plain text: no tags, no entities, no double spaces, at most so many characters. */
	public static function text( string $html, int $most ): string {
		$text = html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		$text = trim( (string) preg_replace( '/\s+/u', ' ', $text ) );
		return trim( (string) preg_replace( '/^(.{0,' . $most . '}).*$/us', '$1', $text ) );
	}

	private static function lines( array $lines ): array {
		$texts = array();
		foreach ( $lines as $line ) {
			$text = is_string( $line ) ? self::text( $line, 500 ) : '';
			if ( '' !== $text ) {
				$texts[] = $text;
			}
		}
		return $texts;
	}
}
