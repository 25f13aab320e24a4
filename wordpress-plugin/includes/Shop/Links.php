<?php
/**
 * Links to Amazon in posts: which there are, told with each post, and the short links that are shown instead while a page is drawn.
 * Posts are never written: what a post shows instead stands in a field of it, and removing the plugin removes that.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Shop;

use CreatorHq\Caches;
use CreatorHq\Cards\Create;
use CreatorHq\Guard;
use CreatorHq\Hub;
use CreatorHq\Posts;
use CreatorHq\Settings;
use CreatorHq\State;

final class Links {

	const META    = '_creator_hq_links';
	const VERSION = 'links_version';
	const MOST    = 100;
	/** After shortcodes and blocks, and what cards make of them. */
	const PRIORITY    = 99;
	const RUN_SECONDS = 10;
	/** Hosts of Amazon and its short ones; whether it is one the hub looks at more closely. */
	const ADDRESS = '~https?://(?:[a-z0-9-]+\.)*(?:amazon\.[a-z.]{2,6}|amzn\.[a-z]{2,4}|a\.co)/[^\s"\'<>\\\\\])}]*~iu';

	public static function hook() {
		add_filter( 'the_content', Guard::filter( array( self::class, 'shown' ) ), self::PRIORITY );
	}

	/** @return array{0: string[], 1: string|null} Addresses in a post's text and card, and why some are missing. */
	public static function of( \WP_Post $post, string $card ): array {
		$text = $post->post_content . ' ' . self::card_text( $card );
		// As blocks write an ampersand.
		$text = str_replace( '\\u0026', '&', $text );
		if ( false === preg_match_all( self::ADDRESS, $text, $found ) ) {
			return array( array(), 'unreadable' );
		}
		$all = array_values( array_unique( array_map( array( self::class, 'plain' ), $found[0] ) ) );
		return array( array_slice( $all, 0, self::MOST ), count( $all ) > self::MOST ? 'too_many' : null );
	}

	/** Its notes, and the links of its ingredients. */
	private static function card_text( string $card ): string {
		if ( preg_match( '/^create-(\d{1,15})$/', $card, $found ) ) {
			return Create::published( (int) $found[1] );
		}
		if ( ! preg_match( '/^(?:wprm|tasty)-(\d{1,15})$/', $card, $found ) ) {
			return '';
		}
		$post = get_post( (int) $found[1] );
		if ( ! $post ) {
			return '';
		}
		$fields = array();
		foreach ( (array) get_post_meta( $post->ID ) as $values ) {
			$fields[] = implode( ' ', array_map( 'strval', (array) $values ) );
		}
		return $post->post_content . ' ' . implode( ' ', $fields );
	}

	private static function plain( string $address ): string {
		return rtrim( html_entity_decode( $address, ENT_QUOTES | ENT_HTML5, 'UTF-8' ), '.,;:!?' );
	}

	/** A page's text with the short links in place of the addresses they stand for. */
	public static function shown( $content ) {
		$post  = get_post();
		$swaps = $post ? get_post_meta( (int) $post->ID, self::META, true ) : '';
		if ( ! is_string( $content ) || ! is_array( $swaps ) || array() === $swaps ) {
			return $content;
		}
		$swapped = preg_replace_callback(
			'~(\shref\s*=\s*)(["\'])(.*?)\2~is',
			function ( $found ) use ( $swaps ) {
				$url = $swaps[ self::plain( $found[3] ) ] ?? '';
				return '' === $url ? $found[0] : $found[1] . $found[2] . esc_url( $url ) . $found[2];
			},
			$content
		);
		return is_string( $swapped ) ? $swapped : $content;
	}

	/** By cron, and after posts were told: what is kept is compared with what the hub says, and only what differs is written. */
	public static function renew() {
		if ( ! Posts::is_told() || ! Hub::is_worth_asking() ) {
			return;
		}
		$query  = array(
			'siteUrl' => rawurlencode( home_url( '/' ) ),
			'version' => rawurlencode( (string) State::get( self::VERSION, '' ) ),
		);
		$answer = Hub::call( 'GET', add_query_arg( $query, '/plugin/link-swaps' ) );
		$body   = $answer['body'];
		if ( '' !== $answer['trouble'] || ! is_array( $body['posts'] ?? null ) || 'live' !== ( $body['state'] ?? '' ) ) {
			return;
		}
		if ( self::keep( $body['posts'], (string) ( $body['linksAt'] ?? '' ) ) ) {
			State::set( array( self::VERSION => (string) ( $body['version'] ?? '' ) ) );
		}
	}

	/** Another hub, or none. */
	public static function forget() {
		delete_post_meta_by_key( self::META );
		State::set( array( self::VERSION => '' ) );
	}

	/** @return bool Whether all of it is written. */
	private static function keep( array $posts, string $links_at ): bool {
		global $wpdb;
		if ( ! Settings::is_acceptable_hub( $links_at ) ) {
			return false;
		}
		$wanted = array();
		foreach ( $posts as $told ) {
			$swaps = self::swaps( is_array( $told ) ? ( $told['swaps'] ?? array() ) : array(), $links_at );
			if ( is_array( $told ) && is_int( $told['post'] ?? null ) && $told['post'] > 0 && array() !== $swaps ) {
				$wanted[ $told['post'] ] = $swaps;
			}
		}
		$kept    = array_map( 'intval', $wpdb->get_col( $wpdb->prepare( 'SELECT post_id FROM %i WHERE meta_key = %s', $wpdb->postmeta, self::META ) ) );
		$until   = time() + self::RUN_SECONDS;
		$changed = array();
		foreach ( array_unique( array_merge( array_keys( $wanted ), $kept ) ) as $post ) {
			if ( time() >= $until ) {
				break;
			}
			if ( self::write( $post, $wanted[ $post ] ?? array() ) ) {
				$changed[] = $post;
			}
		}
		Caches::purge_posts( $changed );
		return time() < $until;
	}

	/** @return array<string, string> Short links by address; what is no short link of the hub is left out. */
	private static function swaps( $told, string $links_at ): array {
		$swaps = array();
		foreach ( is_array( $told ) ? $told : array() as $swap ) {
			$code    = is_array( $swap ) ? ( $swap['code'] ?? '' ) : '';
			$address = is_array( $swap ) ? ( $swap['address'] ?? '' ) : '';
			if ( is_string( $address ) && is_string( $code ) && preg_match( '/^[0-9A-Za-z]{4,16}$/D', $code ) ) {
				$swaps[ $address ] = $links_at . $code . '/blog';
			}
		}
		return $swaps;
	}

	/** @return bool Whether its pages look otherwise now. */
	private static function write( int $post, array $swaps ): bool {
		if ( array() === $swaps ) {
			return delete_post_meta( $post, self::META );
		}
		// Not for a post that is gone since.
		return null !== get_post( $post ) && false !== update_post_meta( $post, self::META, wp_slash( $swaps ) );
	}
}
