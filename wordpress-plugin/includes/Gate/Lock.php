<?php
/**
 * What of a post's text is only for subscribers, readers or members, read from the text alone: the block "Only for subscribers" or
 * the shortcode `[creator_hq_gate]` in it says from where, and for whom. Nothing here looks at who reads.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Lock {

	/** Whom something may be locked for, the strictest last; '' is everybody. Tiers, by their ids, are stricter. */
	const WHO       = array( '', 'subscribers', 'readers', 'members' );
	const TIER      = 'tier:';
	/** In doubt: what nobody can read. Also of who reads everything. */
	const HIGHEST   = 'tier:highest';
	const BLOCK     = 'creator-hq/gate';
	/** What WordPress takes for it, too: attributes may begin with a space that is none in ASCII. */
	const SHORTCODE = '/\[creator_hq_gate(?![\w-])([^\]]*)\]/';
	/** As they stand in a post, whole: cards that can be locked by themselves. */
	const CARD_BLOCK     = '/^<!--\s*wp:(?:wp-recipe-maker\/recipe|wp-tasty\/tasty-recipe|mv\/recipe)\b/';
	const CARD_SHORTCODE = '/\[(?:wprm-recipe|tasty-recipe|mv_create)\s[^\]]*\]|(?s:<!--WPRM Recipe \d+-->.+?<!--End WPRM Recipe-->)/';
	/** Where something was taken out: for whom it is, the how manieth locked part of the text, its shape. No reader's text looks like it, and no reader sees it. */
	const HOLE = '/<!--creator-hq-locked (subscribers|readers|members|tier:[a-z0-9-]+) (\d+) ([a-z]*)-->/';

	const MOST_SHAPES = 12;

	public static function is_in( string $content ): bool {
		return false !== strpos( $content, '<!-- wp:' . self::BLOCK ) || false !== strpos( $content, '[creator_hq_gate' );
	}

	/** What is locked of a post is read from this. */
	public static function text( \WP_Post $post ): string {
		return Rules::applied( $post->post_content, $post->ID );
	}

	/**
	 * What may be read, with a hole for each part that is locked.
	 *
	 * @param string $level Up to whom what is locked is left in.
	 */
	public static function cut( string $content, string $level ): string {
		if ( ! self::is_in( $content ) ) {
			return $content;
		}
		$open   = '';
		$number = 0;
		foreach ( self::parts( $content ) as list( $who, $text ) ) {
			if ( '' === $who ) {
				$open .= $text;
				continue;
			}
			$open .= self::is_open_to( $level, $who ) ? $text : '<!--creator-hq-locked ' . $who . ' ' . $number . ' ' . self::shape( $text ) . '-->';
			++$number;
		}
		return $open;
	}

	/** @return array<int, array{0: string, 1: string}> The locked parts, by their number: for whom, and the text. */
	public static function locked( string $content ): array {
		$locked = array();
		foreach ( self::is_in( $content ) ? self::parts( $content ) : array() as $part ) {
			if ( '' !== $part[0] ) {
				$locked[] = $part;
			}
		}
		return $locked;
	}

	/** Whether something of a post is locked today. */
	public static function is_locked( \WP_Post $post ): bool {
		return array() !== self::locked( self::text( $post ) );
	}

	/** Whether some of it is for these. */
	public static function has_for( string $who, string $content ): bool {
		return in_array( $who, array_column( self::locked( $content ), 0 ), true );
	}

	/** @param array $attributes Of the block, or of the shortcode. @return string '' when it isn't locked today. */
	public static function who( array $attributes ): string {
		if ( ! Days::hold( $attributes ) ) {
			return '';
		}
		$said = $attributes['for'] ?? '';
		if ( '' === $said ) {
			return 'subscribers';
		}
		if ( is_string( $said ) && self::is_whom( $said ) ) {
			return $said;
		}
		$tier = is_string( $said ) ? Tiers::find( $said ) : '';
		return '' === $tier ? self::HIGHEST : $tier;
	}

	/** Whether something may be locked for these; a tier may be gone. */
	public static function is_whom( string $who ): bool {
		return '' !== $who && ( in_array( $who, self::WHO, true ) || preg_match( '/^' . self::TIER . '[0-9a-f-]{36}$/', $who ) );
	}

	public static function strictest( string ...$who ): string {
		$strictest = '';
		foreach ( $who as $one ) {
			$strictest = self::is_open_to( $strictest, $one ) ? $strictest : $one;
		}
		return $strictest;
	}

	/** @param string $level What somebody reads up to, as locks name it. */
	public static function is_open_to( string $level, string $who ): bool {
		return self::strictness( $who ) <= self::strictness( $level );
	}

	/** A tier that nobody knows is as the highest one. */
	private static function strictness( string $who ): int {
		$at = array_search( $who, self::WHO, true );
		if ( false !== $at ) {
			return $at;
		}
		$ids = array_keys( Tiers::all() );
		$at  = array_search( substr( $who, strlen( self::TIER ) ), $ids, true );
		return count( self::WHO ) + ( false === $at ? max( 0, count( $ids ) - 1 ) : $at );
	}

	/**
	 * In doubt more is locked: a gate within columns locks all of them.
	 *
	 * @return array<int, array{0: string, 1: string}> For whom a part is, and its text.
	 */
	private static function parts( string $content ): array {
		$of_card = self::strictest_of( 'card', self::gates( $content ) );
		$parts   = array();
		$of_rest = '';
		foreach ( parse_blocks( $content ) as $block ) {
			$text = serialize_block( $block );
			if ( self::BLOCK === $block['blockName'] ) {
				$gates   = array( array( self::locks( $block['attrs'] ), self::who( $block['attrs'] ) ) );
				$inner   = self::inside( $block );
				$inside  = self::strictest_of( 'inside', $gates );
				$parts[] = array( self::strictest( $of_rest, $inside, self::strictest_of( 'inside', self::gates( $inner ) ) ), $inner );
				$of_rest = self::strictest( $of_rest, self::strictest_of( 'rest', $gates ) );
			} elseif ( null !== $block['blockName'] ) {
				$gates   = self::gates( $text );
				$is_card = preg_match( self::CARD_BLOCK, $text ) || preg_match( self::CARD_SHORTCODE, $text ) || false !== strpos( $text, 'wp:wp-recipe-maker/recipe' ) || false !== strpos( $text, 'wp:wp-tasty/tasty-recipe' );
				$parts[] = array( self::strictest( $of_rest, self::strictest_of( 'inside', $gates ), $is_card ? $of_card : '' ), $text );
				$of_rest = self::strictest( $of_rest, self::strictest_of( 'rest', $gates ) );
			} else {
				// Text without blocks, as the classic editor writes it.
				$pieces = preg_split( self::SHORTCODE, $text, -1, PREG_SPLIT_DELIM_CAPTURE );
				if ( 1 === count( $pieces ) ) {
					// One that cannot be read.
					$of_rest = self::strictest( $of_rest, self::strictest_of( 'rest', self::gates( $text ) ) );
				}
				foreach ( $pieces as $at => $piece ) {
					if ( 1 === $at % 2 ) {
						$of_rest = self::strictest( $of_rest, self::strictest_of( 'rest', array( self::of_shortcode( $piece ) ) ) );
						continue;
					}
					foreach ( self::around_cards( $piece ) as list( $is_card, $around ) ) {
						$parts[] = array( self::strictest( $of_rest, $is_card ? $of_card : '' ), $around );
					}
				}
			}
		}
		return self::joined( $parts );
	}

	/** All of it: its blocks, and what was typed between them. */
	private static function inside( array $block ): string {
		$inside = '';
		$blocks = $block['innerBlocks'];
		foreach ( $block['innerContent'] as $piece ) {
			$inside .= null === $piece ? serialize_block( array_shift( $blocks ) ) : $piece;
		}
		return $inside;
	}

	/** Neighbours that are locked alike are one part. */
	private static function joined( array $parts ): array {
		$joined = array();
		foreach ( $parts as list( $who, $text ) ) {
			$last = count( $joined ) - 1;
			if ( $last >= 0 && $joined[ $last ][0] === $who ) {
				$joined[ $last ][1] .= $text;
			} elseif ( '' !== trim( $text ) || '' === $who ) {
				$joined[] = array( $who, $text );
			}
		}
		return $joined;
	}

	private static function locks( array $attributes ): string {
		$locks = $attributes['locks'] ?? 'rest';
		return in_array( $locks, array( 'inside', 'card' ), true ) ? $locks : 'rest';
	}

	/**
	 * For whom gates lock something: the card, what is inside of them or follows, or only what follows.
	 *
	 * @param array<int, array{0: string, 1: string}> $gates
	 */
	private static function strictest_of( string $what, array $gates ): string {
		$found = array( '' );
		foreach ( $gates as list( $locks, $who ) ) {
			if ( $locks === $what || ( 'inside' === $what && 'rest' === $locks ) ) {
				$found[] = $who;
			}
		}
		return self::strictest( ...$found );
	}

	/** @return array<int, array{0: string, 1: string}> What each gate in a text locks, and for whom; one that cannot be read, all for the strictest. */
	private static function gates( string $text ): array {
		if ( ! self::is_in( $text ) ) {
			return array();
		}
		$found = array();
		preg_match_all( '/<!-- wp:creator-hq\/gate(?:\s+(\{.*?\}))?\s*\/?-->/', $text, $blocks );
		foreach ( $blocks[1] as $attributes ) {
			$attributes = (array) json_decode( $attributes, true );
			$found[]    = array( self::locks( $attributes ), self::who( $attributes ) );
		}
		preg_match_all( self::SHORTCODE, $text, $shortcodes );
		foreach ( $shortcodes[1] as $attributes ) {
			$found[] = self::of_shortcode( $attributes );
		}
		return array() === $found ? array( array( 'rest', self::HIGHEST ) ) : $found;
	}

	private static function of_shortcode( string $attributes ): array {
		$spaced     = str_ireplace( array( '&nbsp;', '&#160;', '&#xa0;', "\u{a0}" ), ' ', $attributes );
		$attributes = (array) shortcode_parse_atts( rtrim( $spaced, " \t\r\n/" ) );
		return array( 'card' === ( $attributes['locks'] ?? '' ) ? 'card' : 'rest', self::who( $attributes ) );
	}

	/** @return string[] The cards in a text: their shortcodes, and blocks that have none in them. */
	public static function cards( string $text ): array {
		preg_match_all( '/' . trim( self::CARD_SHORTCODE, '/' ) . '|' . ltrim( trim( self::CARD_BLOCK, '/' ), '^' ) . '(?:(?!-->).)*\/-->/s', $text, $cards );
		return $cards[0];
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
