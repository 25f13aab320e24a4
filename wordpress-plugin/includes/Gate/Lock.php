<?php
/**
 * What of a post's text is only for subscribers, read from the text alone: the block "Only for subscribers" or the shortcode
 * `[creator_hq_gate]` in it says from where. Nothing here looks at who reads.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Lock {

	const BLOCK     = 'creator-hq/gate';
	const SHORTCODE = '/\[creator_hq_gate(?:\s+locks="(rest|card)")?\s*\]/';
	/** As they stand in a post, whole: cards that can be locked by themselves. */
	const CARD_BLOCK     = '/^<!--\s*wp:(?:wp-recipe-maker\/recipe|wp-tasty\/tasty-recipe|mv\/recipe)\b/';
	const CARD_SHORTCODE = '/\[(?:wprm-recipe|tasty-recipe|mv_create)\s[^\]]*\]/';
	/** Where something was taken out; its letters are the shape. No reader's text looks like it, and no reader sees it. */
	const HOLE = '/<!--creator-hq-locked ([a-z]*)-->/';

	const MOST_SHAPES = 12;

	public static function is_in( string $content ): bool {
		return false !== strpos( $content, '<!-- wp:' . self::BLOCK ) || false !== strpos( $content, '[creator_hq_gate' );
	}

	/** What a stranger may read, with a hole for each part that is locked. */
	public static function cut( string $content ): string {
		if ( ! self::is_in( $content ) ) {
			return $content;
		}
		$open = '';
		foreach ( self::parts( $content ) as list( $is_locked, $text ) ) {
			$open .= $is_locked ? '<!--creator-hq-locked ' . self::shape( $text ) . '-->' : $text;
		}
		return $open;
	}

	/** @return string[] The locked parts, in the order of their holes. */
	public static function locked( string $content ): array {
		$locked = array();
		foreach ( self::parts( $content ) as list( $is_locked, $text ) ) {
			if ( $is_locked ) {
				$locked[] = $text;
			}
		}
		return $locked;
	}

	/**
	 * In doubt more is locked: a gate within columns locks all of them.
	 *
	 * @return array<int, array{0: bool, 1: string}> Whether a part is locked, and its text.
	 */
	private static function parts( string $content ): array {
		$locks_card = self::locks_card( $content );
		$parts      = array();
		$is_rest    = false;
		foreach ( parse_blocks( $content ) as $block ) {
			$text = serialize_block( $block );
			if ( $is_rest ) {
				$parts[] = array( true, $text );
				continue;
			}
			if ( self::BLOCK === $block['blockName'] ) {
				$locks = self::locks( $block['attrs'] );
				if ( 'card' !== $locks ) {
					$parts[] = array( true, serialize_blocks( $block['innerBlocks'] ) );
				}
				$is_rest = 'rest' === $locks;
				continue;
			}
			if ( null !== $block['blockName'] ) {
				$within  = self::within( $text );
				$is_card = $locks_card && ( preg_match( self::CARD_BLOCK, $text ) || preg_match( self::CARD_SHORTCODE, $text ) || false !== strpos( $text, 'wp:wp-recipe-maker/recipe' ) || false !== strpos( $text, 'wp:wp-tasty/tasty-recipe' ) );
				$parts[] = array( $is_card || '' !== $within, $text );
				$is_rest = 'rest' === $within;
				continue;
			}
			// Text without blocks, as the classic editor writes it.
			$divided = preg_split( self::SHORTCODE, $text, 2 );
			$is_rest = preg_match( self::SHORTCODE, $text, $found ) && 'card' !== ( $found[1] ?? '' );
			$text    = $is_rest ? $divided[0] : preg_replace( self::SHORTCODE, '', $text );
			foreach ( $locks_card ? self::around_cards( $text ) : array( array( false, $text ) ) as $part ) {
				$parts[] = $part;
			}
			if ( $is_rest ) {
				$parts[] = array( true, $divided[1] );
			}
		}
		return self::joined( $parts );
	}

	/** Neighbours that are locked alike are one part. */
	private static function joined( array $parts ): array {
		$joined = array();
		foreach ( $parts as list( $is_locked, $text ) ) {
			$last = count( $joined ) - 1;
			if ( $last >= 0 && $joined[ $last ][0] === $is_locked ) {
				$joined[ $last ][1] .= $text;
			} elseif ( '' !== trim( $text ) || ! $is_locked ) {
				$joined[] = array( $is_locked, $text );
			}
		}
		return $joined;
	}

	private static function locks( array $attributes ): string {
		$locks = $attributes['locks'] ?? 'rest';
		return in_array( $locks, array( 'inside', 'card' ), true ) ? $locks : 'rest';
	}

	/** The strictest gate within a block: 'rest', 'inside' or '' for none. */
	private static function within( string $text ): string {
		if ( ! self::is_in( $text ) ) {
			return '';
		}
		preg_match_all( '/<!-- wp:creator-hq\/gate(?:\s+(\{.*?\}))?\s*\/?-->/', $text, $blocks );
		$found = array();
		foreach ( $blocks[1] as $attributes ) {
			$found[] = self::locks( (array) json_decode( $attributes, true ) );
		}
		preg_match_all( self::SHORTCODE, $text, $shortcodes );
		foreach ( $shortcodes[1] as $locks ) {
			$found[] = 'card' === $locks ? 'card' : 'rest';
		}
		if ( in_array( 'rest', $found, true ) || array() === $found ) {
			return 'rest';
		}
		return in_array( 'inside', $found, true ) ? 'inside' : '';
	}

	private static function locks_card( string $content ): bool {
		return (bool) preg_match( '/<!-- wp:creator-hq\/gate\s+\{[^}]*"locks":"card"|\[creator_hq_gate\s+locks="card"/', $content );
	}

	private static function around_cards( string $text ): array {
		$parts = array();
		foreach ( preg_split( '/(' . trim( self::CARD_SHORTCODE, '/' ) . ')/', $text, -1, PREG_SPLIT_DELIM_CAPTURE ) as $at => $piece ) {
			$parts[] = array( 1 === $at % 2, $piece );
		}
		return $parts;
	}

	/** A letter for each block: paragraph, heading, list, image, card. Not a word, and not how long anything is. */
	private static function shape( string $text ): string {
		$letters = array(
			'core/heading'            => 'h',
			'core/list'               => 'l',
			'core/image'              => 'i',
			'core/gallery'            => 'i',
			'wp-recipe-maker/recipe'  => 'c',
			'wp-tasty/tasty-recipe'   => 'c',
		);
		$shape   = '';
		foreach ( parse_blocks( $text ) as $block ) {
			if ( null !== $block['blockName'] ) {
				$shape .= $letters[ $block['blockName'] ] ?? 'p';
			} elseif ( '' !== trim( $block['innerHTML'] ) ) {
				$shape .= preg_match( self::CARD_SHORTCODE, $block['innerHTML'] ) ? 'c' : 'pp';
			}
		}
		return substr( $shape, 0, self::MOST_SHAPES );
	}
}
