<?php
/**
 * The finished page of a locked post, for what other plugins print of its text into head and foot.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Guard;

final class Page {

	const DESCRIPTION = '/<meta\b[^>]*(?:name|property|itemprop)=["\'](?:[a-z]+:)?description["\'][^>]*>/i';
	/** As many words in a row are a quotation. */
	const QUOTED_WORDS = 3;

	public static function stripped( string $html, \WP_Post $post ): string {
		try {
			return self::without_quotations( JsonLd::stripped( $html, $post ), $post );
		} catch ( \Throwable $error ) {
			Guard::log( $error );
			return (string) preg_replace( array( JsonLd::SCRIPT, self::DESCRIPTION ), '', $html );
		}
	}

	/** Descriptions that quote what is locked go; what somebody wrote for search engines stays. */
	private static function without_quotations( string $html, \WP_Post $post ): string {
		return (string) preg_replace_callback(
			self::DESCRIPTION,
			function ( $found ) use ( $post ) {
				preg_match( '/\bcontent=(["\'])(.*?)\1/s', $found[0], $content );
				return self::quotes_locked( $content[2] ?? '', $post ) ? '' : $found[0];
			},
			$html
		);
	}

	/** Whether a description quotes what is locked of a post. */
	public static function quotes_locked( string $description, \WP_Post $post ): bool {
		$open   = $post->post_title . ' ' . $post->post_excerpt . ' ' . Lock::cut( Lock::text( $post ), '' );
		$all    = $post->post_content . ' ' . implode( ' ', array_column( Lock::locked( Lock::text( $post ) ), 1 ) );
		$said   = self::words( $description );
		$length = min( self::QUOTED_WORDS, max( 1, count( $said ) ) );
		$locked = array_diff_key( self::runs( self::words( $all ), $length ), self::runs( self::words( $open ), $length ) );
		return array() !== array_intersect_key( self::runs( $said, $length ), $locked );
	}

	private static function words( string $html ): array {
		$text = html_entity_decode( wp_strip_all_tags( strip_shortcodes( $html ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		return (array) preg_split( '/[^\p{L}\p{N}]+/u', strtolower( $text ), -1, PREG_SPLIT_NO_EMPTY );
	}

	/** @return array<string, true> Each so many words in a row. */
	private static function runs( array $words, int $length ): array {
		$runs = array();
		for ( $at = 0; $at + $length <= count( $words ); $at++ ) {
			$runs[ implode( ' ', array_slice( $words, $at, $length ) ) ] = true;
		}
		return $runs;
	}
}
