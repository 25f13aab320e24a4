<?php
/**
 * Locks of categories, tags and posts as the hub's screen shows and changes them.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Plugin;
use CreatorHq\State;

final class HubLocks {

	const MOST = 50;

	/**
	 * @param string $search In names and titles; '' for what is locked, and the most used categories and tags.
	 * @return array{whom: string[], items: array}
	 */
	public static function told( string $search ): array {
		return array(
			'whom'  => array_keys( Tiers::audiences() ),
			'items' => array_merge( self::terms( $search ), self::posts( $search ) ),
		);
	}

	/**
	 * What is older than what was done last changes nothing.
	 *
	 * @param array $told `kind`, `id`, `lock` ('' for none, 'open', or `locks:who`), perhaps `days`, `isSure`, `at` in milliseconds.
	 * @return string What to ask first; '' when nothing is to be asked.
	 */
	public static function change( array $told ): string {
		list( $kind, $id, $lock ) = array( $told['kind'] ?? '', (int) ( $told['id'] ?? 0 ), (string) ( $told['lock'] ?? '' ) );
		$is_post                  = 'post' === $kind;
		$question                 = ! Rules::is_lock( $lock ) || ! empty( $told['isSure'] ) ? '' : Gate::question( $is_post ? $id : 0, $is_post ? 0 : $id );
		if ( '' !== $question || (int) ( $told['at'] ?? 0 ) <= (int) State::get( 'locks_changed_at', 0 ) ) {
			return $question;
		}
		State::set( array( 'locks_changed_at' => (int) $told['at'] ) );
		if ( $is_post && get_post( $id ) ) {
			Rules::lock_post( $id, $lock );
		} elseif ( ! $is_post && term_exists( $id ) ) {
			Rules::lock_term( $id, $lock, (int) ( $told['days'] ?? Rules::days_of_term( $id ) ) );
		}
		Plugin::stack_changed();
		return '';
	}

	private static function terms( string $search ): array {
		$asked  = array(
			'taxonomy'   => Rules::TAXONOMIES,
			'hide_empty' => false,
			'orderby'    => 'count',
			'order'      => 'DESC',
		);
		$locked = '' === $search && array() !== Rules::locked_terms() ? get_terms( $asked + array( 'include' => Rules::locked_terms() ) ) : array();
		$found  = get_terms(
			$asked + array(
				'name__like' => $search,
				'number'     => self::MOST,
				'exclude'    => '' === $search ? Rules::locked_terms() : array(),
			)
		);
		return array_map(
			function ( $term ) {
				return array(
					'kind'  => 'category' === $term->taxonomy ? 'category' : 'tag',
					'id'    => $term->term_id,
					'name'  => self::plain( $term->name ),
					'posts' => $term->count,
					'lock'  => Rules::of_term( $term->term_id ),
					'days'  => Rules::days_of_term( $term->term_id ),
				);
			},
			array_slice( array_merge( $locked, $found ), 0, max( self::MOST, count( $locked ) ) )
		);
	}

	private static function posts( string $search ): array {
		global $wpdb;
		$which = '' === $search ? Gate::locked_sql( $wpdb->posts ) : $wpdb->prepare( 'post_title LIKE %s', '%' . $wpdb->esc_like( $search ) . '%' );
		$found = (array) $wpdb->get_results( $wpdb->prepare( "SELECT * FROM %i WHERE post_type IN ('post', 'page') AND post_status = 'publish' AND ", $wpdb->posts ) . $which . ' ORDER BY post_date_gmt DESC, ID DESC LIMIT ' . self::MOST );
		return array_map(
			function ( $row ) {
				return array(
					'kind'     => 'post',
					'id'       => (int) $row->ID,
					'name'     => self::plain( $row->post_title ),
					'lock'     => Rules::own( (int) $row->ID ),
					'holds'    => Rules::of( (int) $row->ID ),
					'isInText' => Lock::is_in( $row->post_content ),
				);
			},
			$found
		);
	}

	private static function plain( string $name ): string {
		return mb_substr( html_entity_decode( wp_strip_all_tags( $name ), ENT_QUOTES, 'UTF-8' ), 0, 200 );
	}
}
