<?php
/**
 * Ties the plugin to WordPress: every hook of it stands here.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Admin\Connect;
use CreatorHq\Admin\Locks;
use CreatorHq\Admin\Page;
use CreatorHq\Admin\SiteHealth;
use CreatorHq\Forms\NativeSubmit;
use CreatorHq\Forms\Placement;
use CreatorHq\Forms\Printer;

final class Plugin {

	const CRON_FORMS  = 'creator_hq_forms';
	const CRON_DAILY  = 'creator_hq_daily';
	const CRON_STACK  = 'creator_hq_stack';
	const CRON_OUTBOX = 'creator_hq_outbox';
	const CRON_POSTS  = 'creator_hq_posts';

	public static function start() {
		register_activation_hook( CREATOR_HQ_FILE, Guard::action( array( self::class, 'activate' ) ) );
		register_deactivation_hook( CREATOR_HQ_FILE, Guard::action( array( self::class, 'deactivate' ) ) );

		add_action( 'init', Guard::action( array( self::class, 'init' ) ) );
		add_filter( 'cron_schedules', Guard::filter( array( self::class, 'schedules' ) ) );
		add_action( self::CRON_FORMS, Guard::action( array( Connection::class, 'renew_forms' ) ) );
		add_action( self::CRON_DAILY, Guard::action( array( Connection::class, 'register' ) ) );
		add_action( self::CRON_STACK, Guard::action( array( Connection::class, 'register' ) ) );
		foreach ( array( 'activated_plugin', 'deactivated_plugin', 'switch_theme', 'upgrader_process_complete', 'update_option_home' ) as $hook ) {
			add_action( $hook, Guard::action( array( self::class, 'stack_changed' ) ) );
		}
		add_action( self::CRON_OUTBOX, Guard::action( array( Outbox::class, 'send' ) ) );

		add_action( 'rest_api_init', Guard::action( array( Rest::class, 'routes' ) ) );
		add_action( 'rest_api_init', Guard::action( array( HubCalls::class, 'routes' ) ) );
		add_action( 'wp_loaded', Guard::action( array( NativeSubmit::class, 'answer' ) ) );
		add_action( 'wp_loaded', Guard::action( array( HubCalls::class, 'without_rest' ) ) );
		add_filter( 'load_textdomain_mofile', Guard::filter( array( self::class, 'nearest_language' ) ) );
		add_filter( 'load_script_translation_file', Guard::filter( array( self::class, 'nearest_language' ) ) );
		add_filter( 'script_loader_tag', Guard::filter( array( Printer::class, 'defer' ) ), 10, 2 );
		Placement::hook();
		Posts::hook();
		Shop\Links::hook();
		Updates::hook();
		Gate\Gate::hook();

		foreach ( array( 'add_option_', 'update_option_' ) as $hook ) {
			add_action( $hook . Settings::OPTION, Guard::action( array( Connection::class, 'settings_changed' ) ) );
		}
		Locks::hook();
		add_action( 'admin_menu', Guard::action( array( Page::class, 'menu' ) ) );
		add_action( 'admin_init', Guard::action( array( self::class, 'admin_init' ) ) );
		add_filter( 'site_status_tests', Guard::filter( array( SiteHealth::class, 'tests' ) ) );
		add_filter( 'wp_privacy_personal_data_exporters', Guard::filter( array( Privacy::class, 'exporters' ) ) );
		add_filter( 'wp_privacy_personal_data_erasers', Guard::filter( array( Privacy::class, 'erasers' ) ) );
		add_filter(
			'plugin_action_links_' . plugin_basename( CREATOR_HQ_FILE ),
			Guard::filter( array( Page::class, 'plugin_links' ) )
		);
		if ( defined( 'WP_CLI' ) && WP_CLI ) {
			\WP_CLI::add_command( 'creator-hq', Cli::class );
		}
	}

	/** Austria, Mexico, Canada and the formal German read the translation that we have of their language. */
	public static function nearest_language( $file ) {
		$name = '/^creator-hq-(de|es|fr)_\w+?(\.mo|-creator-hq-block-(?:form|gate|shop)\.json)$/';
		if ( ! preg_match( $name, basename( (string) $file ), $parts ) || is_readable( $file ) ) {
			return $file;
		}
		return dirname( CREATOR_HQ_FILE ) . '/languages/creator-hq-' . $parts[1] . '_' . strtoupper( $parts[1] ) . $parts[2];
	}

	/** Also after an update, which runs no activation. */
	public static function activate() {
		Settings::make_options();
		Tables::renew();
		Gate\LockedCards::find();
		self::schedule();
		update_option( 'creator_hq_version', CREATOR_HQ_VERSION, true );
		// A newer version may tell more of them.
		Posts::note_all();
		Connection::register();
	}

	/** Everything stays: who activates it again finds it as it was. */
	public static function deactivate() {
		foreach ( array( self::CRON_FORMS, self::CRON_DAILY, self::CRON_STACK, self::CRON_OUTBOX, self::CRON_POSTS, Gate\Days::CRON ) as $hook ) {
			wp_unschedule_hook( $hook );
		}
	}

	public static function init() {
		load_plugin_textdomain( 'creator-hq', false, dirname( plugin_basename( CREATOR_HQ_FILE ) ) . '/languages' );
		add_shortcode( 'creator_hq_form', Guard::shown( array( Placement::class, 'form_shortcode' ) ) );
		add_shortcode( 'creator_hq_save', Guard::shown( array( Placement::class, 'save_shortcode' ) ) );
		wp_register_script(
			'creator-hq-block-form',
			plugins_url( 'blocks/form/editor.js', CREATOR_HQ_FILE ),
			array( 'wp-blocks', 'wp-element', 'wp-components', 'wp-block-editor', 'wp-api-fetch', 'wp-i18n' ),
			CREATOR_HQ_VERSION,
			true
		);
		wp_set_script_translations( 'creator-hq-block-form', 'creator-hq', dirname( CREATOR_HQ_FILE ) . '/languages' );
		register_block_type(
			dirname( CREATOR_HQ_FILE ) . '/blocks/form',
			array( 'render_callback' => Guard::shown( array( Placement::class, 'form_block' ) ) )
		);
		Shop\Button::init();
	}

	public static function admin_init() {
		if ( get_option( 'creator_hq_version' ) !== CREATOR_HQ_VERSION ) {
			self::activate();
		}
		Page::settings();
		Connect::hook();
		Privacy::policy();
	}

	/** Other plugins or another theme may show locked posts otherwise, and the blog may have moved to https: the hub looks again. */
	public static function stack_changed( $what = '' ) {
		if ( plugin_basename( CREATOR_HQ_FILE ) !== $what ) {
			wp_schedule_single_event( time(), self::CRON_STACK );
		}
	}

	public static function schedules( $schedules ) {
		$schedules['creator_hq_minute']   = array(
			'interval' => MINUTE_IN_SECONDS,
			'display'  => __( 'Every minute', 'creator-hq' ),
		);
		$schedules['creator_hq_quarter'] = array(
			'interval' => 15 * MINUTE_IN_SECONDS,
			'display'  => __( 'Every 15 minutes', 'creator-hq' ),
		);
		return $schedules;
	}

	private static function schedule() {
		$wanted = array(
			self::CRON_FORMS => 'creator_hq_quarter',
			self::CRON_DAILY => 'daily',
		);
		foreach ( $wanted as $hook => $recurrence ) {
			if ( ! wp_next_scheduled( $hook ) ) {
				wp_schedule_event( time() + MINUTE_IN_SECONDS, $recurrence, $hook );
			}
		}
	}
}
