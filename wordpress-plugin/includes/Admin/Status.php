<?php
/**
 * How the plugin is, in words, each with one remedy. For wp-admin, Site Health, WP-CLI and the address `health`.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Admin;

use CreatorHq\Caches;
use CreatorHq\Forms\Store;
use CreatorHq\Gate\Gate;
use CreatorHq\Gate\Wall;
use CreatorHq\Outbox;
use CreatorHq\Plugin;
use CreatorHq\Posts;
use CreatorHq\Settings;
use CreatorHq\State;

final class Status {

	/** WordPress runs its tasks when somebody visits; a blog without a visit for this long is rare. */
	const CRON_LATE_SECONDS = HOUR_IN_SECONDS;

	/** @return array<int, array{level: string, text: string, remedy: string}> `level` is good, note or bad. */
	public static function lines(): array {
		return array_values( array_filter( array( self::connection(), self::version(), self::copy(), self::forms(), self::posts(), self::outbox(), self::lost(), self::gate(), self::cron(), self::proxy(), self::caches() ) ) );
	}

	public static function cron_is_healthy(): bool {
		$next = wp_next_scheduled( Plugin::CRON_FORMS );
		return false !== $next && $next > time() - self::CRON_LATE_SECONDS;
	}

	private static function connection(): array {
		if ( ! Settings::is_connected() ) {
			return self::line( 'bad', __( 'Not connected.', 'creator-hq' ), __( 'Press “Connect” above, or paste an API key.', 'creator-hq' ) );
		}
		$trouble = (string) State::get( 'trouble', '' );
		if ( 'key' === $trouble ) {
			return self::line( 'bad', __( 'Creator HQ no longer accepts the API key.', 'creator-hq' ), __( 'Make a new one in Creator HQ under Settings, API key, and paste it above. Forms go on working; saves wait here.', 'creator-hq' ) );
		}
		if ( '' !== $trouble ) {
			$since = (int) State::get( 'away_since', time() );
			/* translators: %s: a time span, as "5 minutes". */
			$text = sprintf( __( 'Creator HQ has not answered for %s.', 'creator-hq' ), human_time_diff( $since ) );
			return self::line( 'bad', $text, __( 'Check its address above. Forms go on working; saves wait here and are sent when it answers.', 'creator-hq' ) );
		}
		$heard = (int) State::get( 'heard_at', 0 );
		if ( 0 === $heard ) {
			return self::line( 'bad', __( 'Creator HQ has not answered yet.', 'creator-hq' ), __( 'Press “Check now”.', 'creator-hq' ) );
		}
		/* translators: 1: the name of the creator's account, 2: a time span, as "5 minutes". */
		return self::line( 'good', sprintf( __( 'Connected as @%1$s. Last heard %2$s ago.', 'creator-hq' ), State::get( 'handle', '' ), human_time_diff( $heard ) ) );
	}

	private static function version(): ?array {
		$expected = (string) State::get( 'expected_version', '' );
		if ( '' === $expected || version_compare( CREATOR_HQ_VERSION, $expected, '>=' ) ) {
			return null;
		}
		/* translators: 1: this version, 2: the newest one. */
		$text = sprintf( __( 'This is version %1$s; your Creator HQ expects %2$s.', 'creator-hq' ), CREATOR_HQ_VERSION, $expected );
		return self::line( 'note', $text, __( 'Download the new version in Creator HQ and upload it under Plugins, Add New.', 'creator-hq' ) );
	}

	private static function copy(): ?array {
		return 'copy' === State::get( 'site_state', '' )
			? self::line( 'note', __( 'Creator HQ takes this site for a copy of your blog: saves here are tests and email only your team.', 'creator-hq' ), __( 'If your blog moved here, say so in Creator HQ.', 'creator-hq' ) )
			: null;
	}

	private static function forms(): ?array {
		if ( ! Settings::is_connected() ) {
			return null;
		}
		$count = count( Store::forms() );
		if ( 0 === $count ) {
			return self::line( 'bad', __( 'No forms yet.', 'creator-hq' ), __( 'Make one in Creator HQ, then press “Check now”.', 'creator-hq' ) );
		}
		/* translators: %d: a number. */
		return self::line( 'good', sprintf( _n( '%d form is ready.', '%d forms are ready.', $count, 'creator-hq' ), $count ) );
	}

	private static function posts(): ?array {
		$waiting = Posts::count();
		if ( 0 === $waiting ) {
			return null;
		}
		$total = max( Posts::total(), $waiting );
		/* translators: 1: a number, 2: a number. */
		$text = sprintf( __( '%1$s of %2$s posts are with Creator HQ.', 'creator-hq' ), number_format_i18n( $total - $waiting ), number_format_i18n( $total ) );
		return self::line( 'note', $text, __( 'The rest follows in the background.', 'creator-hq' ) );
	}

	private static function outbox(): ?array {
		$count = Outbox::count();
		if ( 0 === $count ) {
			return null;
		}
		/* translators: %d: a number. */
		$text = sprintf( _n( '%d save waits here.', '%d saves wait here.', $count, 'creator-hq' ), $count );
		return self::line( 'note', $text, __( 'They are sent when Creator HQ answers, for up to 72 hours. “Check now” tries at once.', 'creator-hq' ) );
	}

	private static function lost(): ?array {
		$count = (int) State::get( 'lost', 0 );
		if ( 0 === $count ) {
			return null;
		}
		/* translators: %d: a number. */
		return self::line( 'bad', sprintf( _n( '%d save could not be sent.', '%d saves could not be sent.', $count, 'creator-hq' ), $count ), __( 'They waited for 72 hours, or were refused. Keep Creator HQ reachable from this server.', 'creator-hq' ) );
	}

	private static function gate(): ?array {
		$count = Gate::count();
		if ( 0 === $count['locked'] ) {
			return null;
		}
		if ( null === Wall::form() ) {
			return self::line( 'bad', __( 'Readers cannot open what is only for subscribers: there is no form for it.', 'creator-hq' ), __( 'Make a form of the kind “Subscribers only” in Creator HQ, then press “Check now”.', 'creator-hq' ) );
		}
		/* translators: 1: a number of posts, 2: the number of all posts. */
		$text = sprintf( __( 'Only for subscribers: %1$d of %2$d posts.', 'creator-hq' ), $count['locked'], $count['all'] );
		return $count['locked'] > Gate::MUCH * $count['all']
			? self::line( 'note', $text, __( 'That is more than 30 %. Search engines and new readers find little to read, and leave.', 'creator-hq' ) )
			: self::line( 'good', $text );
	}

	private static function cron(): ?array {
		return self::cron_is_healthy()
			? null
			: self::line( 'bad', __( 'WordPress does not run its scheduled tasks.', 'creator-hq' ), __( 'Ask your host to call wp-cron.php every minute. Until then saves that wait go with the next save.', 'creator-hq' ) );
	}

	private static function proxy(): ?array {
		return time() - (int) State::get( 'proxy_seen_at', 0 ) < WEEK_IN_SECONDS
			? self::line( 'note', __( 'Many readers seem to come from one network address: a proxy stands before this site.', 'creator-hq' ), __( 'Choose below which header has the reader’s own address.', 'creator-hq' ) )
			: null;
	}

	private static function caches(): ?array {
		$found = Caches::found();
		/* translators: %s: names of page caches. */
		return array() === $found ? null : self::line( 'good', sprintf( __( 'Page cache found: %s. It is emptied when a form changes.', 'creator-hq' ), implode( ', ', $found ) ) );
	}

	private static function line( string $level, string $text, string $remedy = '' ): array {
		return compact( 'level', 'text', 'remedy' );
	}
}
