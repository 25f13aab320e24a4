<?php
/**
 * Locks that do not stand in a post's text: of categories and tags, and a post's own, which overrides those. They become a gate
 * in the text, so that all doors treat them alike.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Caches;
use CreatorHq\Guard;
use CreatorHq\Posts;

final class Rules {

	/** `terms`: by their ids, `locks:who`; `days`: after how many a post of theirs is open to all; `posts`: whether one has a lock of its own. Asked for every post, so it is loaded with WordPress's own options. */
	const OPTION = 'creator_hq_rules';
	/** A post's own: `locks:who`, or 'open'. Editors alone see it. */
	const META = '_creator_hq_lock';
	const OPEN = 'open';
	/** What a stranger reads of a post that is locked as a whole. */
	const TEASER_PARAGRAPHS = 2;
	/** A text that a program changed is known by its first so many bytes. */
	const COMPARED = 200;
	/** WordPress puts marks and links to read more between the lines of a post, some themes with an element around them. */
	const BETWEEN    = '/[\r\n]+|<span id="more-\d+"><\/span>|(?:<(?:p|div|span)\b[^>]*>\s*)*<a\b[^>]*\bmore-link\b.*?<\/a>(?:\s*<\/(?:p|div|span)>)*/s';
	const TAXONOMIES = array( 'category', 'post_tag' );
	/** A synced pattern where it stands in a post, and how deep they may stand in each other. */
	const PATTERN       = '/<!-- wp:block (\{(?:(?!-->).)*\}) (?:\/-->|-->\s*<!-- \/wp:block -->)/s';
	const MOST_PATTERNS = 5;

	public static function hook() {
		add_action( 'delete_term', Guard::action( array( self::class, 'term_deleted' ) ) );
		foreach ( array( 'set_object_terms', 'updated_post_meta', 'added_post_meta', 'deleted_post_meta' ) as $hook ) {
			add_action( $hook, Guard::action( array( self::class, 'post_changed' ) ), 10, 4 );
		}
	}

	public static function are_used(): bool {
		return ! empty( self::kept()['terms'] ) || ! empty( self::kept()['posts'] );
	}

	/** Whether it is `locks:who`. */
	public static function is_lock( string $lock ): bool {
		list( $locks, $who ) = explode( ':', $lock . ':', 2 );
		return in_array( $locks, array( 'rest', 'card' ), true ) && Lock::is_whom( rtrim( $who, ':' ) );
	}

	/**
	 * @param string $lock '' for none.
	 * @param int    $days After how many a post is open to all; 0: never.
	 */
	public static function lock_term( int $term, string $lock, int $days = 0 ) {
		$terms = self::terms();
		$after = self::days();
		unset( $terms[ $term ], $after[ $term ] );
		if ( self::is_lock( $lock ) ) {
			$terms[ $term ] = $lock;
			$after         += $days > 0 ? array( $term => $days ) : array();
		}
		if ( self::terms() !== $terms || self::days() !== $after ) {
			self::keep(
				array(
					'terms' => $terms,
					'days'  => $after,
				)
			);
			$found = get_term( $term );
			if ( $found instanceof \WP_Term ) {
				Posts::category_changed( $term, $found->term_taxonomy_id );
			}
		}
	}

	/** A post's own, which overrides those of its categories and tags. @param string $lock '' for none. */
	public static function lock_post( int $post, string $lock ) {
		if ( self::OPEN === $lock || self::is_lock( $lock ) ) {
			update_post_meta( $post, self::META, $lock );
		} else {
			delete_post_meta( $post, self::META );
		}
		if ( ! self::is_lock( $lock ) ) {
			delete_post_meta( $post, Days::META );
		}
	}

	/** A post's own, 'open' among them; '' for none. */
	public static function own( int $post ): string {
		$own = (string) get_post_meta( $post, self::META, true );
		return self::OPEN === $own || self::is_lock( $own ) ? $own : '';
	}

	/** @return int[] */
	public static function locked_terms(): array {
		return array_keys( self::terms() );
	}

	public static function of_term( int $term ): string {
		return self::terms()[ $term ] ?? '';
	}

	/** After how many days a post of a category or tag is open to all; 0: never. */
	public static function days_of_term( int $term ): int {
		return self::days()[ $term ] ?? 0;
	}

	/** @return string[] On which a post's categories and tags open it to all, where it has no lock of its own. */
	public static function days_of_post( int $post ): array {
		if ( array() === self::days() || '' !== (string) get_post_meta( $post, self::META, true ) ) {
			return array();
		}
		return array_filter( array_column( self::of_terms( $post ), 2 ) );
	}

	public static function term_deleted( $term ) {
		self::lock_term( (int) $term, '' );
	}

	/** Its cards may be locked now, or open. */
	public static function post_changed( $first, $post, $key = '' ) {
		if ( in_array( $key, array( self::META, Days::META ), true ) ) {
			self::keep( array( 'posts' => true ) );
			Posts::note_if_public( (int) $post );
		} elseif ( 'set_object_terms' === current_action() && array() !== self::terms() ) {
			LockedCards::find();
			Posts::note_if_public( (int) $first );
		}
	}

	/** The text of a post with its rule as a gate in it. One that was cut has it already. */
	public static function applied( string $content, int $post ): string {
		$content = self::with_patterns( $content );
		$lock = ! self::are_used() || '' === trim( $content ) || preg_match( Lock::HOLE, $content ) ? '' : self::of( $post );
		if ( '' === $lock ) {
			return $content;
		}
		list( $locks, $who ) = explode( ':', $lock, 2 );
		if ( 'card' === $locks ) {
			return $content . self::gate( $content, 'card', $who );
		}
		list( $teaser, $rest ) = self::divided( $content );
		// Of a short post nothing is left to read.
		return '' === trim( $rest ) ? self::gate( $content, 'rest', $who ) . $content : $teaser . self::gate( $content, 'rest', $who ) . $rest;
	}

	/** A text with the synced patterns that have a gate in them in their places: WordPress puts them there only after all is cut. */
	public static function with_patterns( string $content, int $depth = 0 ): string {
		if ( $depth > self::MOST_PATTERNS || false === strpos( $content, '<!-- wp:block ' ) ) {
			return $content;
		}
		return (string) preg_replace_callback(
			self::PATTERN,
			function ( $found ) use ( $depth ) {
				$attributes = json_decode( $found[1], true );
				$pattern    = is_numeric( $attributes['ref'] ?? null ) ? get_post( (int) $attributes['ref'] ) : null;
				$is_shown   = $pattern && 'wp_block' === $pattern->post_type && 'publish' === $pattern->post_status;
				$text       = $is_shown ? self::with_patterns( $pattern->post_content, $depth + 1 ) : '';
				return Lock::is_in( $text ) ? $text : $found[0];
			},
			$content
		);
	}

	/** SQL that goes on with OR, and is true of posts that a rule may lock. */
	public static function or_locked_sql( string $table, int $term = 0 ): string {
		global $wpdb;
		$terms = array_filter( array_merge( array_keys( self::terms() ), array( $term ) ) );
		if ( ! self::are_used() && array() === $terms ) {
			return '';
		}
		$own = $wpdb->prepare( 'SELECT 1 FROM %i chq_m WHERE chq_m.post_id = %i.ID AND chq_m.meta_key = %s AND chq_m.meta_value', $wpdb->postmeta, $table, self::META );
		$sql = " OR EXISTS ($own <> '" . self::OPEN . "')";
		if ( array() !== $terms ) {
			$sql .= " OR (NOT EXISTS ($own = '" . self::OPEN . "') AND EXISTS (" . $wpdb->prepare(
				'SELECT 1 FROM %i chq_r JOIN %i chq_t ON chq_t.term_taxonomy_id = chq_r.term_taxonomy_id WHERE chq_r.object_id = %i.ID AND chq_t.term_id IN',
				$wpdb->term_relationships,
				$wpdb->term_taxonomy,
				$table
			) . ' (' . implode( ',', array_map( 'intval', $terms ) ) . ')))';
		}
		return $sql;
	}

	/** Whose text this is: of the post in the loop or, where a program gave it to a filter by itself, of another one; 0: of none. */
	public static function post_of( string $content, int $in_loop ): int {
		$text = trim( $content );
		$post = $in_loop ? get_post( $in_loop ) : null;
		if ( '' === $text || ! self::are_used() || preg_match( Lock::HOLE, $text ) || ( $post && self::is_all_in( $text, $post->post_content ) ) ) {
			return $in_loop;
		}
		global $wpdb;
		$found = (int) $wpdb->get_var( $wpdb->prepare( 'SELECT ID FROM %i WHERE post_status = %s AND post_content LIKE %s LIMIT 1', $wpdb->posts, 'publish', '%' . $wpdb->esc_like( $text ) . '%' ) );
		return 0 === $found && $post && false !== strpos( $post->post_content, substr( $text, 0, self::COMPARED ) ) ? $in_loop : $found;
	}

	/** Whether a post has each line of a text: another one may begin alike. */
	private static function is_all_in( string $text, string $content ): bool {
		if ( false !== strpos( $content, $text ) ) {
			return true;
		}
		$lines   = preg_split( self::BETWEEN, $text );
		$content = self::without_classes( $content );
		foreach ( is_array( $lines ) ? $lines : array( $text ) as $line ) {
			$line = trim( self::without_classes( $line ) );
			if ( '' !== $line && false === strpos( $content, $line ) ) {
				return false;
			}
		}
		return true;
	}

	/** Blocks in an excerpt have been given more of them. */
	private static function without_classes( string $html ): string {
		return (string) preg_replace( '/ class="[^"]*"/', '', $html );
	}

	/** The strictest of what holds for a post: `locks:who`, '' when it is open. */
	public static function of( int $post ): string {
		$own = self::own( $post );
		if ( self::OPEN === $own ) {
			return '';
		}
		if ( '' !== $own ) {
			return Days::hold( Days::of( $post ) ) ? $own : '';
		}
		$found = array_filter(
			self::of_terms( $post ),
			function ( $lock ) {
				return Days::hold( array( 'until' => $lock[2] ) );
			}
		);
		if ( array() === $found ) {
			return '';
		}
		$locks = in_array( 'rest', array_column( $found, 0 ), true ) ? 'rest' : 'card';
		return $locks . ':' . Lock::strictest( ...array_column( $found, 1 ) );
	}

	/** @return array<int, array{0: string, 1: string, 2: string}> Of each locked category and tag of a post: what it locks, for whom, and the day on which it no longer does, or ''. */
	private static function of_terms( int $post ): array {
		$terms = self::terms();
		$found = array();
		// Pages have none, and are not asked for them.
		$type = (string) get_post_type( $post );
		foreach ( array() === $terms ? array() : array_intersect( self::TAXONOMIES, get_object_taxonomies( $type ) ) as $taxonomy ) {
			foreach ( (array) get_the_terms( $post, $taxonomy ) as $term ) {
				if ( $term instanceof \WP_Term && isset( $terms[ $term->term_id ] ) ) {
					$days    = self::days_of_term( $term->term_id );
					$found[] = array_merge( explode( ':', $terms[ $term->term_id ], 2 ), array( 0 === $days ? '' : Days::after( $post, $days ) ) );
				}
			}
		}
		return $found;
	}

	private static function gate( string $content, string $locks, string $who ): string {
		return has_blocks( $content )
			? '<!-- wp:' . Lock::BLOCK . ' {"locks":"' . $locks . '","for":"' . $who . '"} /-->'
			: "\n\n[creator_hq_gate locks=\"" . $locks . '" for="' . $who . "\"]\n\n";
	}

	/** @return array{0: string, 1: string} What everybody reads, and what follows. Cards, lists, gates and shortcodes are never in the first. */
	private static function divided( string $content ): array {
		$teaser     = '';
		$paragraphs = 0;
		if ( ! has_blocks( $content ) ) {
			// Of bytes: elsewhere \R is also the second half of some letters.
			$pieces = preg_split( '/(*BSR_ANYCRLF)(\R\s*\R)/', $content, -1, PREG_SPLIT_DELIM_CAPTURE );
			while ( array() !== $pieces && $paragraphs < self::TEASER_PARAGRAPHS && ! preg_match( '/\[|<!--|<\/?(?:p|div|ul|ol|table|section|article|h\d)\b/i', $pieces[0] ) ) {
				$paragraphs += '' === trim( $pieces[0] ) ? 0 : 1;
				$teaser     .= array_shift( $pieces );
			}
			return array( $teaser, implode( '', $pieces ) );
		}
		$blocks = parse_blocks( $content );
		$open   = array( null, 'core/paragraph', 'core/image', 'core/heading' );
		while ( array() !== $blocks && $paragraphs < self::TEASER_PARAGRAPHS && in_array( $blocks[0]['blockName'], $open, true ) ) {
			$block = array_shift( $blocks );
			$text  = serialize_block( $block );
			if ( false !== strpos( $text, '[' ) || ( null === $block['blockName'] && '' !== trim( $text ) ) ) {
				return array( $teaser, $text . serialize_blocks( $blocks ) );
			}
			$paragraphs += 'core/paragraph' === $block['blockName'] ? 1 : 0;
			$teaser     .= $text;
		}
		return array( $teaser, serialize_blocks( $blocks ) );
	}

	/** @return array<int, string> */
	private static function terms(): array {
		return (array) ( self::kept()['terms'] ?? array() );
	}

	/** @return array<int, int> */
	private static function days(): array {
		return (array) ( self::kept()['days'] ?? array() );
	}

	private static function kept(): array {
		$value = get_option( self::OPTION, array() );
		return is_array( $value ) ? $value : array();
	}

	private static function keep( array $changes ) {
		update_option( self::OPTION, array_merge( self::kept(), $changes ), true );
		LockedCards::find();
		Caches::purge_soon( true );
	}
}
