<?php
/**
 * A page of the blog about the membership: to become a member, to enter, to change and cancel; with an entry in the menus.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

use CreatorHq\Guard;

final class MembershipPage {

	const SHORTCODE = 'creator_hq_membership';
	/** The page that was made here has this. */
	const META = '_creator_hq_membership';

	public static function hook() {
		add_shortcode( self::SHORTCODE, Guard::shown( array( self::class, 'buttons' ) ) );
	}

	/** @return int Its id; 0 where there is none. */
	public static function find(): int {
		$found = get_posts(
			array(
				'post_type'   => 'page',
				'post_status' => array( 'publish', 'draft', 'private', 'pending' ),
				'meta_key'    => self::META, // phpcs:ignore -- In wp-admin alone.
				'fields'      => 'ids',
				'numberposts' => 1,
			)
		);
		return (int) ( $found[0] ?? 0 );
	}

	/** In each menu that stands somewhere; themes of blocks list pages by themselves. */
	public static function make() {
		if ( 0 !== self::find() ) {
			return;
		}
		$id = wp_insert_post(
			array(
				'post_type'      => 'page',
				'post_status'    => 'publish',
				'post_title'     => __( 'Membership', 'creator-hq' ),
				'post_content'   => '<!-- wp:shortcode -->[' . self::SHORTCODE . ']<!-- /wp:shortcode -->',
				'comment_status' => 'closed',
				'meta_input'     => array( self::META => 1 ),
			)
		);
		foreach ( array_unique( array_filter( get_nav_menu_locations() ) ) as $menu ) {
			wp_update_nav_menu_item(
				$menu,
				0,
				array(
					'menu-item-object-id' => $id,
					'menu-item-object'    => 'page',
					'menu-item-type'      => 'post_type',
					'menu-item-status'    => 'publish',
				)
			);
		}
	}

	/** WordPress takes it out of the menus. */
	public static function remove() {
		$id = self::find();
		if ( 0 !== $id ) {
			wp_delete_post( $id, true );
		}
	}

	public static function buttons(): string {
		$post = get_post();
		if ( ! $post || '' === Enter::members_at() ) {
			return '';
		}
		$joins = '' !== Enter::join_at();
		return ( $joins ? Enter::button( 'join', __( 'Become a member', 'creator-hq' ), $post ) : '' )
			. Enter::button( 'enter', __( 'Enter as a member', 'creator-hq' ), $post )
			. ( $joins ? Enter::button( 'change', __( 'Change or cancel your membership', 'creator-hq' ), $post ) : '' );
	}
}
