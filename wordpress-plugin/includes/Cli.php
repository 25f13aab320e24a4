<?php
/**
 * `wp creator-hq`.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Admin\Status;

final class Cli {

	/** Says how the plugin is. */
	public function status() {
		foreach ( Status::lines() as $line ) {
			\WP_CLI::line( strtoupper( $line['level'] ) . '  ' . $line['text'] . ' ' . $line['remedy'] );
		}
	}

	/** Registers at the hub and brings the newest forms. */
	public function sync() {
		$trouble = Connection::register();
		if ( '' !== $trouble ) {
			\WP_CLI::error( 'Not synced: ' . $trouble . '.' );
		}
		\WP_CLI::success( count( Forms\Store::forms() ) . ' forms.' );
	}

	/** Sends what waits. */
	public function outbox() {
		State::set( array( 'ask_after' => 0 ) );
		Outbox::send();
		\WP_CLI::success( Outbox::count() . ' left.' );
	}
}
