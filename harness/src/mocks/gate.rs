//! The door in front of a mock: the only way to have a connection refused, or cut, on an address that stays the same.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Mutex;
use tokio::task::{JoinHandle, JoinSet};

use super::error::MockError;

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// Passes connections on to the mock behind it, until it is shut.
#[derive(Debug)]
pub struct Gate {
    mock: &'static str,
    address: SocketAddr,
    behind: SocketAddr,
    // Bound and never listening: while the gate is shut it keeps the port from being given to anybody else, and a
    // socket that does not listen refuses.
    _placeholder: Option<TcpSocket>,
    doorkeeper: Mutex<Option<JoinHandle<()>>>,
}

impl Gate {
    /// Opens a gate on loopback `port` (0 for any free one) to the mock at `behind`.
    ///
    /// # Errors
    /// If the port cannot be had.
    pub async fn open(
        mock: &'static str,
        port: u16,
        behind: SocketAddr,
    ) -> Result<Self, MockError> {
        let refused = |source| MockError::Listen { mock, port, source };
        let placeholder = bound(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(refused)?;
        let address = placeholder.local_addr().map_err(refused)?;
        // Elsewhere two sockets on one port do not get along this way, so there the port is held by listening only.
        let placeholder = cfg!(target_os = "linux").then_some(placeholder);
        let gate = Self {
            mock,
            address,
            behind,
            _placeholder: placeholder,
            doorkeeper: Mutex::new(None),
        };
        gate.admit().await?;
        Ok(gate)
    }

    /// The address that is told to the world.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Refuses every new connection from now on and cuts the open ones; returns when that is so.
    pub async fn refuse(&self) {
        if let Some(doorkeeper) = self.doorkeeper.lock().await.take() {
            doorkeeper.abort();
            // An aborted task reports its own cancellation, which is what was asked for.
            let _ = doorkeeper.await;
        }
    }

    /// Lets connections in again; an open gate stays as it is.
    ///
    /// # Errors
    /// If the port cannot be had again.
    pub async fn admit(&self) -> Result<(), MockError> {
        let mut doorkeeper = self.doorkeeper.lock().await;
        if doorkeeper.is_none() {
            let listener = bound(self.address)
                .and_then(|socket| socket.listen(BACKLOG))
                .map_err(|source| MockError::Listen {
                    mock: self.mock,
                    port: self.address.port(),
                    source,
                })?;
            *doorkeeper = Some(tokio::spawn(keep(listener, self.behind)));
        }
        Ok(())
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        if let Some(doorkeeper) = self.doorkeeper.get_mut().take() {
            doorkeeper.abort();
        }
    }
}

fn bound(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    #[cfg(target_os = "linux")]
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Accepts until it is aborted; the connections it passes on end with it.
async fn keep(listener: TcpListener, behind: SocketAddr) {
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    open.spawn(pass_on(stream, behind));
                }
            }
            Some(_) = open.join_next(), if !open.is_empty() => {}
        }
    }
}

async fn pass_on(mut outside: TcpStream, behind: SocketAddr) {
    if let Ok(mut inside) = TcpStream::connect(behind).await {
        let _ = outside.set_nodelay(true);
        let _ = inside.set_nodelay(true);
        // Either side may hang up at any time; that is no fault of the gate.
        let _ = copy_bidirectional(&mut outside, &mut inside).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_shut_gate_refuses_and_an_opened_one_admits_on_the_same_port() {
        let behind = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gate = Gate::open("test", 0, behind.local_addr().unwrap())
            .await
            .unwrap();
        assert!(TcpStream::connect(gate.address()).await.is_ok());
        gate.refuse().await;
        let refusal = TcpStream::connect(gate.address()).await.unwrap_err();
        assert_eq!(refusal.kind(), std::io::ErrorKind::ConnectionRefused);
        gate.admit().await.unwrap();
        assert!(TcpStream::connect(gate.address()).await.is_ok());
    }
}
