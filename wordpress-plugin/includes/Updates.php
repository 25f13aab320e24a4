<?php
/**
 * New versions come from the hub, not from WordPress.org. The hub says which file it is; another one is refused.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Forms\Store;

final class Updates {

	const SECONDS    = 60;
	const MOST_BYTES = 5 * MB_IN_BYTES;

	public static function hook() {
		$host = (string) wp_parse_url( CREATOR_HQ_HUB, PHP_URL_HOST );
		if ( '' === $host ) {
			return;
		}
		add_filter( 'update_plugins_' . $host, Guard::filter( array( self::class, 'offer' ) ), 10, 3 );
		add_filter( 'plugins_api', Guard::filter( array( self::class, 'details' ) ), 10, 3 );
		// Not guarded: after an error of ours no other file may come in.
		add_filter( 'upgrader_pre_download', array( self::class, 'download' ), 10, 4 );
	}

	/** While WordPress looks for updates. With the hub away there is none. */
	public static function offer( $update, $plugin, $file ) {
		if ( plugin_basename( CREATOR_HQ_FILE ) !== $file || ! Hub::is_worth_asking() ) {
			return $update;
		}
		$answer = Hub::call( 'GET', '/plugin/update?siteUrl=' . rawurlencode( home_url( '/' ) ) );
		$told   = $answer['body']['update'] ?? null;
		if ( '' !== $answer['trouble'] || ! is_array( $told ) || ! self::is_signed( $told ) ) {
			return $update;
		}
		return array(
			'slug'         => 'creator-hq',
			'version'      => (string) $told['version'],
			'url'          => Settings::hub(),
			'package'      => Settings::hub() . '/api/v1/plugin/creator-hq.zip',
			'tested'       => (string) ( $told['tested'] ?? '' ),
			'requires'     => (string) ( $told['requires'] ?? '' ),
			'requires_php' => (string) ( $told['requiresPhp'] ?? '' ),
			'changelog'    => (string) ( $told['changelog'] ?? '' ),
			'sha256'       => (string) $told['sha256'],
			'signature'    => (string) $told['signature'],
		);
	}

	/** “View details” in the list of plugins. */
	public static function details( $result, $action, $arguments ) {
		$offered = self::offered();
		if ( 'plugin_information' !== $action || 'creator-hq' !== ( $arguments->slug ?? '' ) || null === $offered ) {
			return $result;
		}
		return (object) array(
			'name'          => 'Creator HQ',
			'slug'          => 'creator-hq',
			'version'       => $offered['version'],
			'tested'        => $offered['tested'],
			'requires'      => $offered['requires'],
			'requires_php'  => $offered['requires_php'],
			'download_link' => $offered['package'],
			'sections'      => array( 'changelog' => wpautop( esc_html( $offered['changelog'] ) ) ),
		);
	}

	/**
	 * Fetches the file itself: only the one that the hub named becomes the plugin.
	 *
	 * @return mixed The path of the file; what came, for other plugins.
	 */
	public static function download( $reply, $package, $upgrader, $extra ) {
		if ( plugin_basename( CREATOR_HQ_FILE ) !== ( $extra['plugin'] ?? '' ) ) {
			return $reply;
		}
		$offered = self::offered();
		if ( null === $offered || ! self::is_signed( $offered ) ) {
			return new \WP_Error( 'creator_hq_update', __( 'Creator HQ no longer offers this version. Check for updates again.', 'creator-hq' ) );
		}
		// Not streamed to a file: without curl WordPress would leave a chunked answer as it came.
		$response = wp_remote_get(
			Settings::hub() . '/api/v1/plugin/creator-hq.zip',
			array(
				'timeout'             => self::SECONDS,
				'redirection'         => 0,
				'limit_response_size' => self::MOST_BYTES,
			)
		);
		if ( 200 !== wp_remote_retrieve_response_code( $response ) ) {
			return new \WP_Error( 'creator_hq_update', __( 'Creator HQ did not answer.', 'creator-hq' ) );
		}
		$zip = wp_remote_retrieve_body( $response );
		if ( ! hash_equals( $offered['sha256'], hash( 'sha256', $zip ) ) ) {
			return new \WP_Error( 'creator_hq_update', __( 'The file is not the one that Creator HQ announced. Nothing was changed.', 'creator-hq' ) );
		}
		$file = wp_tempnam( 'creator-hq.zip' );
		file_put_contents( $file, $zip );
		return $file;
	}

	private static function offered(): ?array {
		$found  = get_site_transient( 'update_plugins' );
		$update = $found->response[ plugin_basename( CREATOR_HQ_FILE ) ] ?? null;
		return is_object( $update ) ? array_map( 'strval', array_filter( (array) $update, 'is_scalar' ) ) : null;
	}

	/** By one of the keys that this very site has from its hub. */
	private static function is_signed( array $told ): bool {
		foreach ( array( 'version', 'sha256', 'signature' ) as $name ) {
			if ( ! is_string( $told[ $name ] ?? null ) ) {
				return false;
			}
		}
		foreach ( Store::signing_keys() as $key ) {
			if ( hash_equals( Store::mac( $key, array( 'plugin update', $told['version'], $told['sha256'] ) ), $told['signature'] ) ) {
				return true;
			}
		}
		return false;
	}
}
