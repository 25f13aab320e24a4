<?php
/**
 * One core for all sites of the tests: what is a site's own (content, database, addresses) stands in its environment.
 */
$creator_hq_site = getenv( 'CREATOR_HQ_SITE' );
$creator_hq_url  = getenv( 'CREATOR_HQ_URL' );

define( 'WP_CONTENT_DIR', $creator_hq_site . '/wp-content' );
define( 'WP_CONTENT_URL', $creator_hq_url . '/wp-content' );
define( 'WP_HOME', $creator_hq_url );
define( 'WP_SITEURL', $creator_hq_url );
define( 'DB_DIR', $creator_hq_site . '/database/' );
define( 'FQDBDIR', DB_DIR );
define( 'DB_NAME', 'x' );
define( 'DB_USER', 'x' );
define( 'DB_PASSWORD', 'x' );
define( 'DB_HOST', 'x' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as $creator_hq_name ) {
	define( $creator_hq_name, 'only for tests: ' . $creator_hq_name );
}

// Nothing leaves this machine; WordPress's own tasks run when a test says so.
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost' );
define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'DISABLE_WP_CRON', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', $creator_hq_site . '/php.log' );

$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
