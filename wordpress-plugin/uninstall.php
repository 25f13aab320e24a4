<?php
/**
 * Leaves nothing: no option, no field of a post, no table, no task. Posts stay as they are; blocks and shortcodes in them print nothing.
 *
 * @package CreatorHq
 */

if ( ! defined( 'WP_UNINSTALL_PLUGIN' ) ) {
	exit;
}

/** Of the site that is the current one. */
function creator_hq_uninstall_site() {
	global $wpdb;
	foreach ( array( 'connection', 'connecting', 'places', 'state', 'printed', 'version', 'tables', 'gate', 'locked_cards', 'rules', 'memberships', 'told' ) as $name ) {
		delete_option( 'creator_hq_' . $name );
	}
	// The page that the plugin made, also from the trash: its shortcode would stand there bare.
	foreach ( get_posts( array( 'post_type' => 'page', 'post_status' => array( 'publish', 'draft', 'private', 'pending', 'future', 'trash' ), 'meta_key' => '_creator_hq_membership', 'fields' => 'ids', 'numberposts' => -1 ) ) as $page ) {
		wp_delete_post( $page, true );
	}
	delete_post_meta_by_key( '_creator_hq_list' );
	delete_post_meta_by_key( '_creator_hq_links' );
	delete_post_meta_by_key( '_creator_hq_lock' );
	delete_post_meta_by_key( '_creator_hq_lock_day' );
	delete_post_meta_by_key( '_creator_hq_membership' );
	$wpdb->query( $wpdb->prepare( 'DELETE FROM %i WHERE option_name LIKE %s OR option_name LIKE %s', $wpdb->options, $wpdb->esc_like( '_transient_creator_hq_' ) . '%', $wpdb->esc_like( '_transient_timeout_creator_hq_' ) . '%' ) );
	foreach ( array( 'outbox', 'recent', 'posts' ) as $name ) {
		$wpdb->query( $wpdb->prepare( 'DROP TABLE IF EXISTS %i', $wpdb->prefix . 'creator_hq_' . $name ) );
	}
	foreach ( array( 'forms', 'daily', 'stack', 'outbox', 'posts', 'lock_day' ) as $name ) {
		wp_unschedule_hook( 'creator_hq_' . $name );
	}
}

if ( ! is_multisite() ) {
	creator_hq_uninstall_site();
	return;
}
$creator_hq_offset = 0;
do {
	$creator_hq_sites = get_sites(
		array(
			'fields' => 'ids',
			'number' => 100,
			'offset' => $creator_hq_offset,
		)
	);
	foreach ( $creator_hq_sites as $creator_hq_site ) {
		switch_to_blog( $creator_hq_site );
		creator_hq_uninstall_site();
		restore_current_blog();
	}
	$creator_hq_offset += 100;
} while ( array() !== $creator_hq_sites );
