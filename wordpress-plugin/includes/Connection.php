<?php
/**
 * Says to the hub how this blog is, and brings back what the hub says: its forms and the keys for stamps.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Forms\Store;
use CreatorHq\Gate\Memberships;
use CreatorHq\Gate\Tiers;
use CreatorHq\Shop\Links;
use CreatorHq\Shop\Lists;

final class Connection {

	/** Another hub or key was saved. */
	public static function settings_changed() {
		State::set(
			array(
				'trouble'    => '',
				'away_since' => 0,
				'ask_after'  => 0,
			)
		);
		if ( ! Settings::is_connected() ) {
			Lists::forget();
			Links::forget();
		}
		self::register();
	}

	/** @return string '' or the trouble of `Hub::call`. */
	public static function register(): string {
		if ( ! Settings::is_connected() ) {
			return 'not_connected';
		}
		$answer = Hub::call(
			'POST',
			'/plugin/register',
			array(
				'pluginVersion'    => CREATOR_HQ_VERSION,
				'siteUrl'          => home_url( '/' ),
				'wordpressVersion' => (string) get_bloginfo( 'version' ),
				'phpVersion'       => PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . '.' . PHP_RELEASE_VERSION,
				'cards'            => Cards\Cards::found(),
				'caches'           => Caches::found(),
				'outboxDepth'      => Outbox::count(),
				'cronIsHealthy'    => Admin\Status::cron_is_healthy(),
				'time'             => time(),
				'stack'            => self::stack(),
				'locks'            => Gate\Gate::count(),
				'keys'             => Store::fingerprints(),
			)
		);
		if ( '' === $answer['trouble'] ) {
			$body = $answer['body'];
			State::set(
				array(
					'handle'           => (string) ( $body['handle'] ?? '' ),
					'expected_version' => (string) ( $body['expectedPluginVersion'] ?? '' ),
					'site_state'       => (string) ( $body['site']['state'] ?? '' ),
					'site_id'          => (string) ( $body['site']['id'] ?? '' ),
				)
			);
			Gate\Told::keep( $body['members'] ?? null );
			$had = Store::fingerprints();
			Store::keep( $body['forms'] ?? null, $body['signingKeys'] ?? null );
			Memberships::keep(
				array(
					'members_at' => esc_url_raw( (string) ( $body['membersAt'] ?? '' ) ),
					'join_at'    => esc_url_raw( (string) ( $body['joinAt'] ?? '' ) ),
					'readers_at' => esc_url_raw( (string) ( $body['readersAt'] ?? '' ) ),
					'free_opens' => (int) ( $body['freeOpens'] ?? 0 ),
				)
			);
			Tiers::keep( $body['tiers'] ?? null );
			if ( $had !== Store::fingerprints() && array() !== $had ) {
				// The hub signs with a new key once it knows that it is here.
				return self::register();
			}
			Posts::registered( (string) ( $body['site']['id'] ?? '' ), (string) ( $body['site']['state'] ?? '' ) );
			Lists::renew();
			Links::renew();
		}
		return $answer['trouble'];
	}

	/** Another one may show locked posts otherwise. */
	private static function stack(): string {
		return substr( md5( (string) wp_json_encode( array( get_option( 'active_plugins' ), get_option( 'stylesheet' ), get_option( 'template' ) ) ) ), 0, 12 );
	}

	/** By cron, and when somebody presses the button in wp-admin. */
	public static function renew_forms(): string {
		State::set( array( 'cron_ran_at' => time() ) );
		if ( ! Settings::is_connected() ) {
			return 'not_connected';
		}
		if ( array() === Store::signing_keys() ) {
			return self::register();
		}
		$answer = Hub::call( 'GET', '/plugin/forms' );
		if ( '' === $answer['trouble'] ) {
			Store::keep( $answer['body']['forms'] ?? null, null );
			Lists::renew();
			Links::renew();
		}
		return $answer['trouble'];
	}
}
