<?php
/**
 * What the hub needs to prove that no stranger reads a locked post: its address, and hashes of runs of words of what is locked.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Probe {

	/** As many words in a row are in one text by chance no more. */
	const RUN_WORDS = 8;
	const MOST_RUNS = 2000;
	const LOOKED_AT = 20;

	/** @return array{post: array|null, cookie: string, openAt: string, ajaxAt: string} */
	public static function sample(): array {
		return array(
			'post'   => self::newest(),
			'cookie' => MemberPass::name(),
			'openAt' => rest_url( 'creator-hq/v1/open' ),
			'ajaxAt' => admin_url( 'admin-ajax.php' ),
		);
	}

	/** The newest post of which something is locked that stands nowhere else. */
	private static function newest(): ?array {
		global $wpdb;
		$found = (array) $wpdb->get_results( $wpdb->prepare( "SELECT * FROM %i WHERE post_type = 'post' AND post_status = 'publish' AND post_password = '' AND ", $wpdb->posts ) . Gate::locked_sql( $wpdb->posts ) . ' ORDER BY post_date_gmt DESC, ID DESC LIMIT ' . self::LOOKED_AT );
		$open  = array() === $found ? array() : self::open_words();
		foreach ( $found as $row ) {
			$told = self::told( new \WP_Post( $row ), $open );
			if ( array() !== $told['runs'] ) {
				return $told;
			}
		}
		return null;
	}

	/** @return string[][] What strangers read of the newest posts: lists and feeds show it. */
	private static function open_words(): array {
		$words = array();
		foreach ( get_posts( array( 'numberposts' => self::LOOKED_AT ) ) as $post ) {
			$words[] = self::open_words_of( $post );
		}
		return $words;
	}

	private static function open_words_of( \WP_Post $post ): array {
		return self::words( $post->post_title . ' ' . $post->post_excerpt . ' ' . Lock::cut( Lock::text( $post ), '' ) );
	}

	private static function told( \WP_Post $post, array $open ): array {
		$words  = self::words( self::locked( $post ) );
		$length = min( self::RUN_WORDS, count( $words ) );
		$runs   = self::runs( $words, $length );
		foreach ( array_merge( $open, array( self::open_words_of( $post ) ) ) as $others ) {
			$runs = array_diff( $runs, self::runs( $others, $length ) );
		}
		return array(
			'id'          => (int) $post->ID,
			'url'         => (string) get_permalink( $post ),
			'title'       => $post->post_title,
			'words'       => count( $words ),
			'runWords'    => $length,
			'runs'        => array_slice( array_values( $runs ), 0, self::MOST_RUNS ),
			'isForSearch' => \CreatorHq\Settings::gate()['keep_for_search'],
		);
	}

	/** As a member reads it. */
	private static function locked( \WP_Post $post ): string {
		return Access::opened(
			function () use ( $post ) {
				$html = '';
				foreach ( Lock::locked( Lock::text( $post ) ) as list( , $text ) ) {
					$html .= ' ' . Open::rendered( $text, $post );
				}
				// Search engines may be told more than the page shows.
				return (string) preg_replace( '/<(script|style)\b.*?<\/\1>/si', ' ', $html );
			}
		);
	}

	private static function words( string $html ): array {
		$text = html_entity_decode( (string) preg_replace( '/<[^<>]*>/', ' ', $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		return (array) preg_split( '/[^\p{L}\p{N}]+/u', strtr( $text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz' ), -1, PREG_SPLIT_NO_EMPTY );
	}

	private static function runs( array $words, int $length ): array {
		$runs = array();
		for ( $at = 0; $length > 0 && $at + $length <= count( $words ); $at++ ) {
			$runs[] = substr( hash( 'sha256', implode( ' ', array_slice( $words, $at, $length ) ) ), 0, 16 );
		}
		return array_values( array_unique( $runs ) );
	}
}
