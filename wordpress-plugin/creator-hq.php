<?php
/**
 * Plugin Name:       Creator HQ
 * Description:       Readers save a recipe to their inbox from your blog, and your contacts come together in your own Creator HQ.
 * Version:           0.1.0
 * Requires at least: 6.2
 * Requires PHP:      7.4
 * License:           MIT
 * Text Domain:       creator-hq
 * Domain Path:       /languages
 * Update URI:        false
 *
 * @package CreatorHq
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

define( 'CREATOR_HQ_VERSION', '0.1.0' );
define( 'CREATOR_HQ_FILE', __FILE__ );
/** Creator HQ writes its address here and into the header when it hands out the plugin. */
define( 'CREATOR_HQ_HUB', '' );

spl_autoload_register(
	function ( $name ) {
		if ( 0 === strpos( $name, 'CreatorHq\\' ) ) {
			$file = __DIR__ . '/includes/' . str_replace( '\\', '/', substr( $name, strlen( 'CreatorHq\\' ) ) ) . '.php';
			if ( is_file( $file ) ) {
				require $file;
			}
		}
	}
);

CreatorHq\Plugin::start();
