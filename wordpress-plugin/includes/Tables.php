<?php
/**
 * Three small tables: submissions and posts that wait for the hub, and what came in the last ten minutes. Made when first needed.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class Tables {

	const VERSION = '2';
	const OPTION  = 'creator_hq_tables';

	public static function outbox(): string {
		global $wpdb;
		return $wpdb->prefix . 'creator_hq_outbox';
	}

	public static function recent(): string {
		global $wpdb;
		return $wpdb->prefix . 'creator_hq_recent';
	}

	public static function posts(): string {
		global $wpdb;
		return $wpdb->prefix . 'creator_hq_posts';
	}

	public static function are_there(): bool {
		return self::VERSION === get_option( self::OPTION );
	}

	/** After an update, those of an older version become these. */
	public static function renew() {
		if ( false !== get_option( self::OPTION ) ) {
			self::ensure();
		}
	}

	public static function ensure() {
		if ( self::are_there() ) {
			return;
		}
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$collation = $wpdb->get_charset_collate();
		$outbox    = self::outbox();
		$recent    = self::recent();
		$posts     = self::posts();
		dbDelta(
			"CREATE TABLE $outbox (
			id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
			attempt char(36) NOT NULL,
			address char(64) NOT NULL,
			body longtext NOT NULL,
			added_at bigint(20) unsigned NOT NULL,
			claim char(32) NOT NULL DEFAULT '',
			claimed_at bigint(20) unsigned NOT NULL DEFAULT 0,
			PRIMARY KEY  (id),
			UNIQUE KEY attempt (attempt),
			KEY address (address)
			) $collation;"
		);
		dbDelta(
			"CREATE TABLE $recent (
			id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
			network char(43) NOT NULL,
			address char(64) NOT NULL,
			form char(22) NOT NULL,
			page varchar(100) NOT NULL,
			attempt char(36) NOT NULL,
			noted_at bigint(20) unsigned NOT NULL,
			PRIMARY KEY  (id),
			KEY network (network, noted_at),
			KEY noted_at (noted_at)
			) $collation;"
		);
		dbDelta(
			"CREATE TABLE $posts (
			id bigint(20) unsigned NOT NULL,
			mark char(32) NOT NULL,
			PRIMARY KEY  (id)
			) $collation;"
		);
		update_option( self::OPTION, self::VERSION, true );
	}
}
