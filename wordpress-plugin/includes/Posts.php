<?php
/**
 * Tells the hub of the blog's public posts: of all once, then of those that change, move or go. What is to be told waits as ids in a
 * table; what a post is, is read when it is told, so one that is a draft again is told as gone.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Cards\Cards;
use CreatorHq\Cards\Facts;
use CreatorHq\Gate\Access;
use CreatorHq\Gate\Lock;
use CreatorHq\Gate\LockedCards;
use CreatorHq\Shop\Links;
use CreatorHq\Shop\Lists;

final class Posts {

	const AT_ONCE = 50;
	/** No run of cron takes longer than WordPress allows it to. */
	const RUN_SECONDS = 40;
	const MAX_CATEGORIES = 50;

	public static function hook() {
		add_action( 'transition_post_status', Guard::action( array( self::class, 'status_changed' ) ), 10, 3 );
		add_action( 'save_post_wprm_recipe', Guard::action( array( self::class, 'card_saved' ) ) );
		add_action( 'before_delete_post', Guard::action( array( self::class, 'note_if_public' ) ) );
		foreach ( array( 'permalink_structure_changed', 'update_option_home' ) as $hook ) {
			add_action( $hook, Guard::action( array( self::class, 'note_all' ) ) );
		}
		add_action( 'edited_category', Guard::action( array( self::class, 'category_changed' ) ), 10, 2 );
		add_action( Plugin::CRON_POSTS, Guard::action( array( self::class, 'send' ) ) );
	}

	/** Every save of a public post comes by here, too. */
	public static function status_changed( $to, $from, $post ) {
		if ( in_array( 'publish', array( $to, $from ), true ) && in_array( $post->post_type, self::types(), true ) ) {
			self::note( (int) $post->ID );
		}
	}

	/** A card of WP Recipe Maker is a post of its own, and knows the one it stands in. */
	public static function card_saved( $id ) {
		self::note_if_public( (int) get_post_meta( $id, 'wprm_parent_post_id', true ) );
	}

	public static function note_if_public( $id ) {
		$post = get_post( $id );
		if ( $post && 'publish' === $post->post_status && in_array( $post->post_type, self::types(), true ) ) {
			self::note( (int) $post->ID );
		}
	}

	/** The first time, another hub, or every address is another one. */
	public static function note_all() {
		self::note_published( 0 );
	}

	/** Its posts are told again, with its new name or lock. */
	public static function category_changed( $id, $taxonomy_id ) {
		self::note_published( (int) $taxonomy_id );
	}

	/** @param int $category 0: posts of all. */
	private static function note_published( int $category ) {
		global $wpdb;
		if ( ! self::is_told() ) {
			return;
		}
		Tables::ensure();
		foreach ( self::types() as $type ) {
			// Those with a password are told as gone: nothing is known of them there.
			$wpdb->query(
				$wpdb->prepare(
					"REPLACE INTO %i (id, mark) SELECT ID, %s FROM %i WHERE post_status = 'publish' AND post_type = %s
					AND (%d = 0 OR ID IN (SELECT object_id FROM %i WHERE term_taxonomy_id = %d))",
					Tables::posts(),
					self::mark(),
					$wpdb->posts,
					$type,
					$category,
					$wpdb->term_relationships,
					$category
				)
			);
		}
		self::send_soon();
	}

	/** The hub answered who this site is there. */
	public static function registered( string $site, string $state ) {
		if ( 'live' === $state && State::get( 'posts_told_to', '' ) !== $site ) {
			State::set( array( 'posts_told_to' => $site ) );
			self::note_all();
		}
	}

	public static function count(): int {
		global $wpdb;
		return Tables::are_there() ? (int) $wpdb->get_var( $wpdb->prepare( 'SELECT COUNT(*) FROM %i', Tables::posts() ) ) : 0;
	}

	/** How many posts there are to know of. */
	public static function total(): int {
		return array_sum(
			array_map(
				function ( $type ) {
					return (int) ( wp_count_posts( $type )->publish ?? 0 );
				},
				self::types()
			)
		);
	}

	/** Tells what waits, 50 in a call; stops at the first trouble. By cron, and after an answer where the server can do that. */
	public static function send() {
		$until   = time() + self::RUN_SECONDS;
		$is_sent = false;
		while ( time() < $until && self::is_told() && Hub::is_worth_asking() && self::send_some( self::AT_ONCE ) ) {
			$is_sent = true;
		}
		if ( $is_sent ) {
			Lists::renew();
			Links::renew();
		}
		if ( 0 === self::count() || ! self::is_told() ) {
			wp_unschedule_hook( Plugin::CRON_POSTS );
		}
	}

	/** @return bool Whether to go on. */
	private static function send_some( int $at_once ): bool {
		global $wpdb;
		if ( ! Tables::are_there() ) {
			return false;
		}
		$rows = $wpdb->get_results( $wpdb->prepare( 'SELECT id, mark FROM %i ORDER BY id LIMIT %d', Tables::posts(), $at_once ) );
		if ( array() === $rows ) {
			return false;
		}
		$posts = array();
		$gone  = array();
		foreach ( $rows as $row ) {
			$told = self::told( (int) $row->id );
			if ( null === $told ) {
				$gone[] = (int) $row->id;
			} else {
				$posts[] = $told;
			}
		}
		$trouble = array() === $gone ? '' : self::tell( '/plugin/recipes/gone', array( 'ids' => $gone ) );
		if ( '' === $trouble && array() !== $posts ) {
			$trouble = self::tell(
				'/plugin/recipes',
				array(
					'waiting' => max( 0, self::count() - count( $rows ) ),
					'posts'   => $posts,
				)
			);
		}
		if ( 'refused' === $trouble && count( $rows ) > 1 ) {
			// One by one, so that one of them holds up no other.
			for ( $left = count( $rows ); $left > 0; $left-- ) {
				if ( ! self::send_some( 1 ) ) {
					return false;
				}
			}
			return true;
		}
		if ( '' !== $trouble && 'refused' !== $trouble ) {
			return false;
		}
		if ( 'refused' === $trouble ) {
			State::note( __( 'Creator HQ refused a post.', 'creator-hq' ) );
		}
		foreach ( $rows as $row ) {
			// Not where it was changed meanwhile: then its mark is another one.
			$wpdb->delete(
				Tables::posts(),
				array(
					'id'   => $row->id,
					'mark' => $row->mark,
				)
			);
		}
		return true;
	}

	/** @return string As Hub::call's trouble; 'copy' when the hub takes this site for a copy. */
	private static function tell( string $path, array $body ): string {
		$answer = Hub::call( 'POST', $path, array( 'siteUrl' => home_url( '/' ) ) + $body );
		$state  = (string) ( $answer['body']['state'] ?? '' );
		if ( '' === $answer['trouble'] && 'live' !== $state ) {
			State::set( array( 'site_state' => $state ) );
			return 'copy';
		}
		return $answer['trouble'];
	}

	/** A post as the hub takes it; null where it is not for everybody. */
	private static function told( int $id ): ?array {
		$post = get_post( $id );
		if ( ! $post || 'publish' !== $post->post_status || '' !== $post->post_password || ! is_post_publicly_viewable( $post ) ) {
			return null;
		}
		$categories = get_the_terms( $post, 'category' );
		$card       = Cards::first( $post->post_content );
		$facts      = Access::opened(
			function () use ( $id, $card ) {
				return Facts::of( $id, $card, true );
			}
		);
		list( $links, $links_problem ) = Links::of( $post, $card );
		return array(
			'id'           => $id,
			'categories'   => array_map(
				function ( $term ) {
					return array(
						'id'   => (int) $term->term_id,
						'name' => Facts::text( $term->name, 200 ),
					);
				},
				array_slice( is_array( $categories ) ? array_values( $categories ) : array(), 0, self::MAX_CATEGORIES )
			),
			'publishedAt'  => self::moment( $post, 'date' ),
			'changedAt'    => max( self::moment( $post, 'modified' ), self::card_changed( $card ) ),
			'language'     => (string) get_bloginfo( 'language' ),
			'lock'         => self::lock( $post, $card ),
			'amazonLinks'  => $links,
			'linksProblem' => $links_problem,
		) + $facts;
	}

	/** For whom alone its card is, or other text of it; null: everybody reads all of it. */
	private static function lock( \WP_Post $post, string $card ): ?array {
		$text = Lock::text( $post );
		$whom = array_column( Lock::locked( $text ), 0 );
		if ( array() === $whom ) {
			return null;
		}
		$of_card = '' === $card ? Lock::strictest( ...$whom ) : LockedCards::who( $card, $text );
		return array(
			'for' => '' === $of_card ? Lock::strictest( ...$whom ) : $of_card,
			'of'  => '' === $of_card ? 'text' : 'recipe',
		);
	}

	/** Of a card that is a post of its own; '' for others, which change with theirs. */
	private static function card_changed( string $card ): string {
		$post = preg_match( '/^(?:wprm|tasty)-(\d{1,15})$/', $card, $found ) ? get_post( (int) $found[1] ) : null;
		return $post ? self::moment( $post, 'modified' ) : '';
	}

	/** By the blog's own clock: of a post that was a draft WordPress keeps no other. */
	private static function moment( \WP_Post $post, string $which ): string {
		return gmdate( 'Y-m-d\TH:i:s\Z', (int) get_post_timestamp( $post, $which ) );
	}

	private static function note( int $id ) {
		global $wpdb;
		if ( ! self::is_told() ) {
			return;
		}
		Tables::ensure();
		$wpdb->query( $wpdb->prepare( 'REPLACE INTO %i (id, mark) VALUES (%d, %s)', Tables::posts(), $id, self::mark() ) );
		self::send_soon();
	}

	private static function send_soon() {
		if ( ! wp_next_scheduled( Plugin::CRON_POSTS ) ) {
			wp_schedule_event( time(), 'creator_hq_minute', Plugin::CRON_POSTS );
		}
		if ( function_exists( 'fastcgi_finish_request' ) && ! has_action( 'shutdown', array( self::class, 'send_after_answer' ) ) ) {
			add_action( 'shutdown', array( self::class, 'send_after_answer' ), PHP_INT_MAX );
		}
	}

	public static function send_after_answer() {
		fastcgi_finish_request();
		Guard::action( array( self::class, 'send' ) )();
	}

	/** A copy of the blog tells nothing: the hub knows the real one. */
	public static function is_told(): bool {
		return Settings::is_connected() && 'live' === State::get( 'site_state', '' );
	}

	private static function mark(): string {
		return md5( wp_generate_uuid4() );
	}

	private static function types(): array {
		return array_values( array_map( 'strval', (array) apply_filters( 'creator_hq_post_types', array( 'post' ) ) ) );
	}
}
