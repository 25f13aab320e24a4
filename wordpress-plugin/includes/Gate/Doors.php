<?php
/**
 * Every way that a post's text takes out of WordPress passes one of these, and each cuts what is locked. The list of doors
 * that a stranger tries is the table in tests/gate.security.test.ts.
 *
 * Texts in the database stay whole: what was cut is a copy, and is never written back.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Guard;

final class Doors {

	/** What was cut out of each text that goes through the filters, the innermost last. */
	private static $cut = array();

	public static function hook() {
		// Not guarded: after an error of ours nothing comes out rather than everything.
		add_filter( 'the_posts', array( self::class, 'posts' ), PHP_INT_MAX );
		add_filter( 'content_pagination', array( self::class, 'pages' ), PHP_INT_MAX, 2 );
		add_filter( 'the_content', array( self::class, 'content' ), PHP_INT_MIN );
		add_filter( 'render_block_data', array( self::class, 'newest' ), PHP_INT_MAX );
		add_filter( 'posts_search', array( self::class, 'search' ), PHP_INT_MAX, 2 );
		add_filter( 'wp_insert_post_data', array( self::class, 'never_kept' ), PHP_INT_MAX, 2 );
		add_filter( 'the_content', array( self::class, 'still_cut' ), PHP_INT_MAX );
		add_filter( 'the_content', Guard::filter( array( Wall::class, 'in_holes' ) ), PHP_INT_MAX );
		add_action( 'template_redirect', array( self::class, 'page' ), PHP_INT_MIN );
	}

	/** Of queries: also what reads `$post->post_content` itself, as makers of descriptions for search and social media do. */
	public static function posts( $posts ) {
		foreach ( is_array( $posts ) ? $posts : array() as $at => $post ) {
			$shown = $post instanceof \WP_Post ? Access::shown( $post->post_content, $post->ID ) : '';
			if ( $post instanceof \WP_Post && $shown !== $post->post_content ) {
				// A copy: the whole one is kept in WordPress's cache, before an older WordPress puts there what this filter gives.
				$whole = array( $post );
				update_post_cache( $whole );
				$copy               = clone $post;
				$copy->post_content = $shown;
				$posts[ $at ]       = $copy;
			}
		}
		return $posts;
	}

	/** Whatever uses `get_the_content`: pages, excerpts, feeds. */
	public static function pages( $pages, $post ) {
		$content = implode( '<!--nextpage-->', $pages );
		return explode( '<!--nextpage-->', Access::shown( $content, $post instanceof \WP_Post ? $post->ID : 0 ) );
	}

	/** Whatever gives a post's text to the filters: REST, AMP, print views, mails of other plugins. */
	public static function content( $content ) {
		$shown = is_string( $content ) ? self::cut( $content ) : $content;
		preg_match_all( Lock::HOLE, is_string( $shown ) ? $shown : '', $holes );
		self::$cut[] = $holes[0];
		return $shown;
	}

	/** A page builder that keeps the text elsewhere puts all of it in the place of what was cut: then the walls stand alone. */
	public static function still_cut( $content ) {
		$holes = (array) array_pop( self::$cut );
		return array() === $holes || preg_match( Lock::HOLE, (string) $content ) ? $content : implode( '', $holes );
	}

	private static function cut( string $content ): string {
		// Some give other texts to this filter, or those of other posts: a rule is for the post's own.
		$id   = Lock::is_in( $content ) ? (int) get_the_ID() : Rules::post_of( $content, (int) get_the_ID() );
		$text = Rules::applied( $content, $id );
		// Who edits it sees a note where it is locked.
		return Lock::is_in( $text ) && Access::may_edit( $id ) ? $text : Access::shown( $content, $id );
	}

	/** The block of the newest posts reads full posts past all filters: it shows their excerpts [C: since 6.3]. */
	public static function newest( $block ) {
		if ( 'core/latest-posts' === ( $block['blockName'] ?? '' ) && 'full_post' === ( $block['attrs']['displayPostContentRadio'] ?? '' ) ) {
			$block['attrs']['displayPostContentRadio'] = 'excerpt';
		}
		return $block;
	}

	/** A search must not tell that a word is there, nor that it is not: locked posts are found by title and excerpt. */
	public static function search( $sql, $query ) {
		global $wpdb;
		$terms = (array) $query->get( 'search_terms' );
		if ( '' === $sql || array() === $terms || current_user_can( 'edit_others_posts' ) ) {
			return $sql;
		}
		$table  = $wpdb->posts;
		$locked = Gate::locked_sql( $table );
		$found  = array( $wpdb->prepare( "%i.post_password = ''", $table ) );
		foreach ( $terms as $term ) {
			$is_not  = 0 === strpos( (string) $term, '-' );
			$like    = '%' . $wpdb->esc_like( ltrim( (string) $term, '-' ) ) . '%';
			$found[] = ( $is_not ? 'NOT ' : '' ) . $wpdb->prepare( '(%i.post_title LIKE %s OR %i.post_excerpt LIKE %s)', $table, $like, $table, $like );
		}
		return ' AND ((NOT ' . $locked . $sql . ') OR (' . $locked . ' AND ' . implode( ' AND ', $found ) . '))';
	}

	/** Somebody's program saves what it was shown: the text stays as it was. */
	public static function never_kept( $data, $given ) {
		$id = (int) ( $given['ID'] ?? 0 );
		if ( $id && preg_match( Lock::HOLE, wp_unslash( (string) ( $data['post_content'] ?? '' ) ) ) ) {
			$data['post_content'] = wp_slash( (string) get_post_field( 'post_content', $id, 'raw' ) );
		}
		return $data;
	}

	/** The page of a locked post: what other plugins print of it into head and foot. */
	public static function page() {
		$post = is_singular() ? get_post( get_queried_object_id() ) : null;
		if ( ! $post || ! Lock::is_locked( $post ) ) {
			return;
		}
		$is_all_shown = ! preg_match( Lock::HOLE, Access::shown( $post->post_content, $post->ID ) );
		if ( $is_all_shown || Access::is_something_open() ) {
			Access::keep_out_of_caches();
		}
		if ( Access::is_something_open() && Cooking::is_of( array_column( Lock::locked( Lock::text( $post ) ), 0 ), MemberPass::level() ) ) {
			Cooking::begin( $post->ID );
		}
		// What other plugins print of it is no concern of the hub's either.
		if ( $is_all_shown && '' === MemberPass::marker() ) {
			return;
		}
		ob_start(
			function ( $html ) use ( $post ) {
				return Page::stripped( $html, $post );
			}
		);
	}
}
